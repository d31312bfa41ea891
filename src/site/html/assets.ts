/** The static files of pages, by names that change with what they hold. Written by `npm run docs:assets`. */
export const ASSETS = {
  style: '/_site/site.c2805f5995.css',
  script: '/_site/site.f9cde53f20.js',
  embed: '/_site/embed.a861c9580d.js',
  framed: '/_site/framed.6b778ca9fe.js',
  map: '/_site/map.efb5df0e25.js',
  leaflet: '/_site/leaflet.a572e54fec.js',
  leafletStyle: '/_site/leaflet.e801789ea5.css',
  icon: '/_site/icon.0e4cfdd9bc.svg',
  editorStyle: '/_site/editor.7f7d657e3b.css',
  editorScript: '/_site/editor.8b60ea76ab.js',
  writing: '/_site/writing.8374b32acb.js',
  passkeys: '/_site/webauthn.857914017c.js',
} as const
