import { CommandError } from '../command.ts'
import { isSiteId, siteIdRule, toSiteId } from '../../plugins/sites/site-id.ts'

/** The id of a site: the one that was asked for, else one made of its package name. Refuses, as a CommandError, what is none. */
export function chooseSiteId(asked: string | undefined, packageName: string | undefined): string {
  if (asked !== undefined) {
    if (isSiteId(asked)) return asked
    throw new CommandError(`--site-id '${asked}' is not a site id; write ${siteIdRule}`)
  }
  const id = toSiteId(packageName ?? '')
  if (isSiteId(id)) return id
  throw new CommandError('package.json has no name that makes a site id; choose one with --site-id')
}
