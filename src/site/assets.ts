/** The static files of pages, by names that change with what they hold. `npm run docs:assets` writes this file. */
export const ASSETS = {
  style: '/_site/site.9c6e51053e.css',
  script: '/_site/site.c0edb7d7a8.js',
  embed: '/_site/embed.abf5f93e09.js',
  icon: '/_site/icon.4d06e3be63.svg',
} as const
