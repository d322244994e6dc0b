import { typeName } from '../content/naming.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { metaNames, settingNames } from '../content/setting-names.ts'
import type { Unreadable } from '../content/read-pages.ts'
import type { Conflict } from '../content/merge/index.ts'
import type { OpenConflict } from '../draft/port.ts'

const mostNamed = 3

/**
 * What a sentence names conflicts with: the time now, without which it is stored, pages that have their
 * blocks, and what the site has but cannot be read, by slug.
 */
interface ConflictContext {
  readonly now?: Date
  readonly pages: readonly Page[]
  readonly unreadable: ReadonlyMap<string, Unreadable>
}

/**
 * Returns the sentence that names what draft and site have both changed, since when and by whom, and the
 * remedy. One that is stored says the time itself, and nothing about the request that was refused.
 */
export function conflictSentence(conflicts: readonly OpenConflict[], context: ConflictContext): string {
  const named = conflicts.slice(0, mostNamed).map((conflict) => sentenceOf(conflict, context))
  const more = conflicts.length - named.length
  const others = more > 0 ? [`${more} more ${more === 1 ? 'value was' : 'values were'} changed as well.`] : []
  const isUnreadable = conflicts.some((conflict) => entryOf(conflict, context))
  const decide = `Decide which one to keep${context.now ? ', or publish with overwrite' : ''}.`
  const remedy = isUnreadable ? 'Correct that on the site, then try again.' : decide
  return [...named, ...others, remedy].join(' ')
}

/** Returns what the site has in place of the page of a conflict, if that cannot be read. */
const entryOf = ({ kind, blockId, slug }: Conflict, { unreadable }: Pick<ConflictContext, 'unreadable'>) =>
  kind === 'removed_on_site' && blockId === undefined ? unreadable.get(slug) : undefined

function sentenceOf(conflict: OpenConflict, { now, pages, unreadable }: ConflictContext): string {
  const { kind, theirs, at, actor } = conflict
  const name = actor && actorName(actor)
  const when = `${name === undefined ? '' : ` by ${name}`}, ${now ? ageOf(at, now) : timeOf(at)}`
  const what = placeOf(conflict, pages)
  const entry = entryOf(conflict, { unreadable })
  if (entry) return `${what} was changed in the draft, and cannot be read on the site: ${entry.reason}.`
  if (kind === 'removed_on_site') return `${what} was removed on the site${when}, and changed in the draft.`
  if (kind === 'removed_here') return `${what} was removed in the draft, and changed on the site${when}.`
  const shown = typeof theirs === 'string' ? ` to "${shortened(theirs)}"` : ''
  return `${what} was changed on the site${shown}${when}.`
}

/** Names the place of a conflict, such as `Home, Hero: heading`. */
export function placeOf({ slug, path, blockId, ours, theirs }: OpenConflict, pages: readonly Page[]): string {
  const named = pages.filter((each) => each.slug === slug)
  // Another page of the draft may be where a page that it has removed is on the site.
  const own = path === undefined && blockId === undefined ? titleOf(ours ?? theirs) : undefined
  const page = slug === '' ? 'Site settings' : (own ?? named[0]?.title ?? slug)
  const type = named.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId)?.type
  const block = blockId === undefined ? [] : [type === undefined ? 'a block' : typeName(type, {})]
  return [[page, ...block].join(', '), ...(path === undefined ? [] : [valueName(slug, path)])].join(': ')
}

/**
 * The name of a value by its path, as forms and reviews name settings of the site and texts for search
 * engines; a run of rows has that of its list.
 */
function valueName(slug: string, path: string): string {
  if (slug === '') return path.replace(/^\$?\w+/, (key) => ownValue<string>(settingNames, key) ?? key)
  const name = path.replace(/\[after=.*$/s, '')
  return name.replace(/^meta\.(\w+)$/, (whole, key: string) => ownValue<string>(metaNames, key) ?? whole)
}

const titleOf = (page: unknown): string | undefined => {
  const title = isPlainObject(page) ? page['title'] : undefined
  return typeof title === 'string' ? title : undefined
}

interface Named {
  readonly kind: string
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly client?: string | undefined
  readonly browser?: { readonly name?: string | undefined } | undefined
}

/** The name of a person or program, as far as it says more than how the service was reached. */
export function actorName({ kind, id, name = id, client, browser }: Named): string | undefined {
  return browser?.name ?? client ?? (kind === 'program' ? name : undefined)
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function ageOf(at: string, now: Date): string {
  const ms = now.getTime() - Date.parse(at)
  const [unit, length] = units.find(([, length]) => ms >= length) ?? []
  if (unit === undefined) return 'just now'
  const count = Math.floor(ms / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** A time as a stored sentence has it. */
export const timeOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

const longest = 80
const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
