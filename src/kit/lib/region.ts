/** The United States, as addresses name them in the languages of the pages. */
const UNITED_STATES =
  /^(?:u\.?s\.?(?:a\.?)?|united states(?: of america)?|(?:die )?vereinigte[nr]? staaten(?: von amerika)?|estados unidos(?: de américa)?|(?:les )?états-unis(?: d’amérique| d'amérique)?)$/i

/** True if the country of an address is the United States, where regions are states. */
export const isUnitedStates = (country: string): boolean => UNITED_STATES.test(country.trim())

/**
 * The region of an address. An address has a field for states, one for provinces, and one for clients that do
 * not distinguish states from provinces. The last of these comes first. Otherwise, as in The Events Calendar,
 * whose form leaves a stale state in addresses of other countries: in the United States the state is the
 * region, in other countries the province alone, and without a country whichever there is.
 */
export function regionOf<T>({
  country,
  state,
  province,
  stateprovince,
}: Readonly<Partial<Record<'country' | 'state' | 'province' | 'stateprovince', T>>>): T | '' {
  const isAbroad = Boolean(country) && !isUnitedStates(String(country))
  return stateprovince || (isAbroad ? province : state || province) || ''
}
