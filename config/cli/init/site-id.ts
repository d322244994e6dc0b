import { CommandError } from '../shared/command.ts'
import type { Asker } from './ask.ts'
import { isSiteId, siteIdRule, toSiteId } from '../../../plugins/sites/site-id.ts'

/** The id of a site: the one of the flag or of an answer, else one made of its package name. Refuses, as a CommandError, what is none. */
export async function chooseSiteId(flag: string | undefined, packageName: string | undefined, asker?: Asker): Promise<string> {
  const proposed = toSiteId(packageName ?? '')
  const asked = flag ?? ((await asker?.ask(`Which site id?${isSiteId(proposed) ? ` (${proposed} if you just press Enter)` : ''}`)) || undefined)
  if (asked !== undefined) {
    if (isSiteId(asked)) return asked
    throw new CommandError(`--site-id '${asked}' is not a site id; write ${siteIdRule}`)
  }
  if (isSiteId(proposed)) return proposed
  throw new CommandError('package.json has no name that makes a site id; choose one with --site-id')
}
