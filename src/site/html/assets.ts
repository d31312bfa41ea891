/** The static files of pages, by names that change with what they hold. Written by `npm run docs:assets`. */
export const ASSETS = {
  style: '/_site/site.7f90e8aca5.css',
  script: '/_site/site.f8996419f9.js',
  embed: '/_site/embed.505336dc82.js',
  framed: '/_site/framed.6f2c45a8ed.js',
  map: '/_site/map.05198adcfb.js',
  leaflet: '/_site/leaflet.a572e54fec.js',
  leafletStyle: '/_site/leaflet.e801789ea5.css',
  icon: '/_site/icon.0e4cfdd9bc.svg',
  editorStyle: '/_site/editor.76a159ca10.css',
  editorScript: '/_site/editor.7410cbee8f.js',
  writing: '/_site/writing.61156b151b.js',
  passkeys: '/_site/webauthn.1d75f015c1.js',
} as const
