/**
 * The static file with the template of the API's document. The build imports this without the calendar, which
 * may not compile.
 */
export const TEMPLATE_PATH = '/_docs/document.json'
