import type { Deployment, Former, Meant, Pending } from './record.ts'
import { type Decisions, isSameOrder, type Three } from '../content/merge/index.ts'

/** How the parts of a site are merged: its pages, and its settings. */
export interface PartRules<T> {
  /** Of a conflict theirs wins, unless `wins` decides it. */
  merge(sides: Three<T>, wins?: Decisions['wins']): T | Promise<T>
  isSame(a: T, b: T): boolean
  /** Whether drafts find one as the other: a page by its id; without it they do. */
  isFoundAs?(a: T, b: T): boolean
  /** The order of what is in a part. */
  orderOf(part: T): readonly string[]
}

/** What a form lacks it lacks on; else the site wins. */
export const lacking: Decisions['wins'] = (kind) => (kind === 'removed_here' ? 'ours' : 'theirs')

/** The most values of one part that publishes have replaced and that an answer may show again. */
const mostFormer = 20

/**
 * Returns what a part of a site means with what is shown of it: a value that equals one of its forms, or one
 * that a publish of the last time has replaced, means what is known of it; any other value is a change of the
 * site.
 */
export async function partMeant<T>(row: Meant<T>, shown: T, rules: PartRules<T>) {
  const { known, former = [] } = row
  if (rules.isSame(known, shown)) return { now: shown, isBehind: false, next: asKnown(row, shown) }
  const meaning = async (theirs: T, forms: readonly T[]): Promise<T> => {
    let result = theirs
    if (rules.isSame(known, theirs)) return theirs
    for (const base of nearestFirst(forms, shown, rules))
      result = await rules.merge({ base, ours: known, theirs: result })
    return result
  }
  const ofForms = await meaning(shown, row.forms)
  const meant = await meaning(
    ofForms,
    former.map(({ value }) => value),
  )
  // What is shown as it is meant also has what a merge leaves out, such as how the site has written it.
  const now = rules.isSame(meant, shown) ? shown : meant
  const isBehind = !rules.isSame(ofForms, now)
  /**
   * A form after a change of the site: a value that the site has changed has no form any more. What a form
   * lacks it lacks on, also where the site has changed something in it.
   */
  const moved = async (form: T): Promise<T> =>
    rules.isSame(known, now) ? form : rules.merge({ base: known, ours: form, theirs: now }, lacking)
  const formerNow: Former<T>[] = []
  for (const { at, value } of former) formerNow.push({ at, value: await moved(value) })
  const forms: T[] = []
  if (row.until || isBehind) for (const form of row.forms) forms.push(await moved(form))
  // A value that is shown as known has no form any more; a deployment may show an earlier one again until it
  // ends.
  if (!row.until) {
    const own = isBehind ? await rules.merge({ base: ofForms, ours: shown, theirs: now }) : shown
    if (!rules.isSame(now, own)) forms.unshift(own)
  }
  const next = { ...row, known: now, forms: distinct(forms, rules.isSame), former: formerNow }
  return { now, isBehind, next: row.until || forms.length + formerNow.length > 0 ? next : undefined }
}

/** Returns a part that is shown as known: it has no form any more, but of a deployment until that ends. */
function asKnown<T>(row: Meant<T>, known: T): Meant<T> | undefined {
  if (!row.until && !row.former?.length) return undefined
  if (known === row.known && (row.until || row.forms.length === 0)) return row
  return { ...row, known, forms: row.until ? row.forms : [] }
}

/**
 * Returns forms with those first that are in the order of what is shown, and of these the one that differs
 * least: an order is one value, which a merge with another form first would take for a change of the site.
 */
function nearestFirst<T>(
  forms: readonly T[],
  shown: T,
  { orderOf }: Pick<PartRules<T>, 'orderOf'>,
): readonly T[] {
  if (forms.length < 2) return forms
  const order = orderOf(shown)
  const isShown = new Set(order)
  const distanceOf = (form: readonly string[]): number =>
    isSameOrder(form, order) ? isShown.symmetricDifference(new Set(form)).size : Number.MAX_SAFE_INTEGER
  const all = forms.map((form) => ({ form, distance: distanceOf(orderOf(form)) }))
  return all.toSorted((a, b) => a.distance - b.distance).map(({ form }) => form)
}

/** What a publish was, for its parts. */
export interface PublishedPart {
  /** The publish, if it only started a deployment. */
  readonly until?: Deployment | undefined
  /** Whether the answer after it could not be read. */
  readonly isUnseen?: boolean | undefined
  /** ISO time of the publish, if an answer may show again what it has replaced. */
  readonly at?: string | undefined
}

/** Returns what is known of a part after a publish; `undefined` if nothing else is or may be shown of it. */
export async function partPublished<T>(
  row: Meant<T> | undefined,
  { known, shown, former = known }: { readonly known: T; readonly shown: T; readonly former: T | undefined },
  { until, isUnseen = false, at, ...rules }: PublishedPart & PartRules<T>,
): Promise<Meant<T> | undefined> {
  const replaced =
    at === undefined ? row?.former : await formerAfter(row, { at, before: former, after: known }, rules)
  const earlier = row && (until || isUnseen) ? [row.known, ...row.forms] : []
  const forms = distinct([shown, ...earlier], rules.isSame)
  // Until a deployment has ended, drafts know a page by the id that was sent, and the site shows another one.
  const isFound = (form: T): boolean => !until || rules.isFoundAs?.(form, known) !== false
  const isShown = forms.every((form) => rules.isSame(form, known) && isFound(form))
  if (isShown) return replaced?.length ? { known, forms: [], former: replaced } : undefined
  const before = row ? row.known : shown
  return { known, forms, ...(until && { until, before, earlier: pendingIn(row) }), former: replaced }
}

/** The publishes of a part that may still fail, the newest first. */
function pendingIn<T>(row: Meant<T> | undefined): readonly Pending<T>[] | undefined {
  if (!row?.until) return undefined
  const { until, before = row.known, earlier = [] } = row
  return [{ until, before }, ...earlier]
}

/** Returns what a publish at `at` has replaced, and what those before it have. */
async function formerAfter<T>(
  row: Meant<T> | undefined,
  { at, before, after }: { readonly at: string; readonly before: T; readonly after: T },
  rules: PartRules<T>,
): Promise<readonly Former<T>[]> {
  const earlier = row?.former ?? []
  if (rules.isSame(before, after)) return earlier
  const replaced = [{ at, value: before }]
  for (const form of row?.forms ?? []) {
    // Where the publish has changed nothing, a form is none of what it has replaced.
    const published = await rules.merge({ base: before, ours: form, theirs: after })
    replaced.push({ at, value: await rules.merge({ base: published, ours: after, theirs: form }) })
  }
  const isSame = (a: Former<T>, b: Former<T>): boolean => rules.isSame(a.value, b.value)
  const now = distinct(replaced, isSame)
  const others = earlier.filter((each) => !now.some((other) => isSame(each, other)))
  return [...now, ...others].filter(({ value }) => !rules.isSame(value, after)).slice(0, mostFormer)
}

const distinct = <T>(values: readonly T[], isSame: (a: T, b: T) => boolean): readonly T[] =>
  values.filter((value, at) => !values.slice(0, at).some((other) => isSame(value, other)))
