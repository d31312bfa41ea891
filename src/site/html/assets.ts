/** The static files of pages, by names that change with what they hold. Written by `npm run docs:assets`. */
export const ASSETS = {
  style: '/_site/site.daf25524fc.css',
  script: '/_site/site.487b4d32c9.js',
  embed: '/_site/embed.ad19bc4310.js',
  framed: '/_site/framed.9134eb441e.js',
  map: '/_site/map.317dc7c18d.js',
  leaflet: '/_site/leaflet.a572e54fec.js',
  leafletStyle: '/_site/leaflet.672852529c.css',
  icon: '/_site/icon.0e4cfdd9bc.svg',
  editorStyle: '/_site/editor.f4e964551a.css',
  editorScript: '/_site/editor.14a84d24d8.js',
  writing: '/_site/writing.5c109b5ddc.js',
  passkeys: '/_site/webauthn.29bb0699b4.js',
} as const
