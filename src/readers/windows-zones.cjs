// In CommonJS, since a module cannot import a package later without waiting for it. The table of the names
// takes a fiftieth of the Worker's start, and few calendars need it.
module.exports = name => require('windows-iana').findIana(name)
