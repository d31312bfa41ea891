/** The addresses of the style and the script that pages with forms have. */
export const STYLE = '/_admin/editor.css'
export const SCRIPT = '/_admin/editor.js'
