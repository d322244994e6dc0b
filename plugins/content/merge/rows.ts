import { stableJson } from '../../../kernel/index.ts'
import { effectiveItemFields, isContentOwned, isPolymorphic } from '../fields.ts'
import { hasOwnKey, isGeneratedId, rowKey, withoutGeneratedId, withoutGeneratedItemIds } from '../items.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { type Ledger, type ConflictPlace, type Winner } from './conflict.ts'
import { mergeElement, mergeKeyed, sharedLists } from './keyed.ts'
import { longestCommon } from './order.ts'
import { each, type MergedValue, type Three } from './sides.ts'
import { mergeValue } from './values.ts'

type Rows = readonly Props[]

/** What the rows of one list are merged with. */
interface RowRules {
  readonly meta: FieldMeta
  readonly draft: Winner
  readonly ledger: Ledger
  readonly mergeRow: (place: ConflictPlace, sides: Three<Props>, fields: Fields) => MergedValue<Props>
}

/**
 * Merges the rows of a declared list: by key if every row of all sides has one of its own, else by runs.
 *
 * A row whose branch differs between the sides is one value.
 */
export function mergeRows(place: ConflictPlace, sides: Three<Rows>, rules: RowRules): MergedValue<Rows> {
  const keyed = each(sides, byKey)
  const { base, ours, theirs } = keyed
  return base && ours && theirs
    ? sharedLists(mergeByKey(place, { base, ours, theirs }, rules), sides)
    : sharedLists(mergeByRuns(place, sides, rules), sides)
}

function mergeByKey(
  { path, ...place }: ConflictPlace,
  sides: Three<ReadonlyMap<string, Props>>,
  { meta, draft, ledger, mergeRow }: RowRules,
): MergedValue<Rows> {
  const at = (row: Props): ConflictPlace => ({ ...place, path: `${path}[id=${rowIdentity(row)}]` })
  return mergeKeyed(sides, draft, {
    mergeOne(rows, some) {
      const here = at(some)
      return mergeElement(here, rows, ledger, {
        parts: ({ base, ours, theirs }): MergedValue<Props | undefined> =>
          isPolymorphic(meta) && ours[meta.discriminator] !== theirs[meta.discriminator]
            ? mergeValue<Props | undefined>(here, { base, ours, theirs }, ledger)
            : mergeRow(here, { base: base ?? {}, ours, theirs }, effectiveItemFields(meta, ours)),
      })
    },
    onMoved: (row) => ledger.take(at(row), 'moved'),
  })
}

/** Merges the runs of rows between the rows that are equal on all sides; each run is one value. */
function mergeByRuns(
  { path, ...place }: ConflictPlace,
  sides: Three<Rows>,
  { meta, ledger }: RowRules,
): MergedValue<Rows> {
  const keys = each(sides, contentKeys)
  const [here, there] = [keys.ours, keys.theirs].map((side) => new Set(longestCommon(keys.base, side)))
  const common = keys.base.filter((key) => here?.has(key) && there?.has(key))
  const places = each(keys, (side) => new Map(side.map((key, at) => [key, at])))
  const taken = new Set(sides.ours.map(({ id }) => id))
  const merged: Props[] = []
  const base: Props[] = []
  let from = { base: 0, ours: 0, theirs: 0 }
  let before: Props | undefined
  for (const key of [...common, undefined]) {
    const to = each(places, (side) => (key === undefined ? side.size : (side.get(key) ?? side.size)))
    const run = {
      base: sides.base.slice(from.base, to.base),
      ours: sides.ours.slice(from.ours, to.ours),
      theirs: sides.theirs.slice(from.theirs, to.theirs),
    }
    const done = mergeValue({ ...place, path: `${path}[after=${rowIdentity(before)}]` }, run, ledger)
    merged.push(
      ...(done.merged === run.theirs && !isContentOwned(meta) ? identified(run, taken) : done.merged),
    )
    base.push(...done.base)
    before = key === undefined ? undefined : sides.ours[to.ours]
    if (before) [merged, base].forEach((list) => list.push(...(before ? [before] : [])))
    from = { base: to.base + 1, ours: to.ours + 1, theirs: to.theirs + 1 }
  }
  return { merged, base }
}

/**
 * Returns the rows of a run of theirs with the generated ids of the rows that they replace. Other generated ids are
 * left out where a row of ours has them.
 */
function identified({ ours, theirs }: Three<Rows>, taken: ReadonlySet<unknown>): Rows {
  return theirs.map((row, at) => {
    if (hasOwnKey(row)) return row
    const replaced = ours.length === theirs.length ? ours[at]?.['id'] : undefined
    if (isGeneratedId(replaced)) return { ...row, id: replaced }
    const bare = withoutGeneratedId(row)
    return taken.has(row['id']) && isPlainObject(bare) ? bare : row
  })
}

function byKey(rows: Rows): ReadonlyMap<string, Props> | undefined {
  if (!rows.every(hasOwnKey)) return undefined
  const keyed = new Map(rows.map((row) => [rowIdentity(row), row]))
  return keyed.size === rows.length ? keyed : undefined
}

const rowIdentity = (row: Props | undefined): string => JSON.stringify((row && rowKey(row)) ?? null)

/** Returns a key for the content of each row; equal rows are numbered. */
function contentKeys(rows: Rows): readonly string[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const content = stableJson(withoutGeneratedId(withoutGeneratedItemIds(row)))
    const n = (seen.get(content) ?? 0) + 1
    seen.set(content, n)
    return `${n} ${content}`
  })
}
