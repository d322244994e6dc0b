import { CommandError } from '../command.ts'

const isSiteId = (text: string): boolean => /^[a-z0-9_-]{1,64}$/.test(text)

/**
 * The id of a site: the one that was asked for, else its package name in the letters of an id. Refuses, as a
 * CommandError, what is none.
 */
export function chooseSiteId(asked: string | undefined, packageName: string | undefined): string {
  if (asked !== undefined) {
    if (isSiteId(asked)) return asked
    throw new CommandError(`--site-id '${asked}' is no id: write 1 to 64 lower case letters, digits, '-' and '_'`)
  }
  const id = toSiteId(packageName ?? '')
  if (isSiteId(id)) return id
  throw new CommandError('package.json has no name to make an id of; choose one with --site-id')
}

const toSiteId = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^@[^/]*\//, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '')
