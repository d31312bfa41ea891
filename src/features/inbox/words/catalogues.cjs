// Made by `npm run words`.
// A catalogue is read when its first text is needed: all of them, read at the start, made it a thirtieth longer (npm run bench -- --start).
module.exports = {
  en: () => require('./en.json'),
  de: () => require('./de.json'),
  es: () => require('./es.json'),
  fr: () => require('./fr.json'),
}
