/**
 * The IANA zones of a zone that Windows knows by a name, the first of which is that of most of its places;
 * none for other names.
 */
declare function windowsZones(name: string): readonly string[]
export = windowsZones
