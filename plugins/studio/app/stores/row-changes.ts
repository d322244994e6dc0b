/** The changes of a block, field by field. The differences of a publish compare rows by position; here a row stays itself. */
import { stepsOf } from '../../../content/plain-object.ts'
import { textIn } from './label.ts'
import { longestRising, type Move } from './moves.ts'
import { copyOf, isRow, isSame, type Row } from './place.ts'
import type { PageDiff } from './review.ts'

type FieldDiff = NonNullable<PageDiff['metaDiffs']>[number]
type Rows = readonly Row[]

interface RowMove extends Move {
  /** The first telling text of the row. */
  readonly text: string
}

export interface FieldChange {
  readonly name: string
  /** The rows of the list that changed places. */
  readonly moves: readonly RowMove[]
  readonly diffs: readonly FieldDiff[]
}

/** The changed fields of a block. `props` are its fields on one side of the change, where they are known. */
export const fieldChanges = (
  diffs: readonly FieldDiff[],
  props: Row = {},
  side: 'before' | 'after' = 'after',
): readonly FieldChange[] =>
  [...Map.groupBy(diffs, ({ path }) => String(stepsOf(path)[0]))].map(([name, own]) => {
    const value = props[name]
    if (!isRows(value) || !own.every(({ path }) => path.startsWith(`${name}[`)))
      return { name, moves: [], diffs: own }
    const wanted = side === 'after' ? 'before' : 'after'
    const other = own.reduce<unknown>(
      (rows, diff) => put(rows, stepsOf(diff.path).slice(1), diff[wanted]),
      value,
    )
    const rows = isRows(other) ? other : []
    const lists = side === 'after' ? { before: rows, after: value } : { before: value, after: rows }
    return { name, ...changesOfRows(name, lists, own) }
  })

const isRows = (value: unknown): value is Rows => Array.isArray(value) && value.every(isRow)

/** A value with another one inside it; `undefined` removes it. Rows that one side lacks are its last ones. */
function put(target: unknown, [step, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(target)) {
    const next = put(target[Number(step)], rest, value)
    return next === undefined ? target.slice(0, Number(step)) : Object.assign([...target], { [step]: next })
  }
  const { [step]: old, ...others } = Object(target)
  const next = put(old, rest, value)
  return next === undefined ? others : { ...others, [step]: next }
}

interface Lists {
  readonly before: Rows
  readonly after: Rows
}

function changesOfRows(list: string, { before, after }: Lists, diffs: readonly FieldDiff[]) {
  const places = placesOf(before.map(copyOf), after.map(copyOf))
  const matched = places.filter((place) => place !== undefined)
  const stays = longestRising(matched)
  const moves = after.flatMap((row, at) => {
    const place = places[at]
    if (place === undefined || stays.has(matched.indexOf(place))) return []
    return [{ text: textIn(row), from: place + 1, to: at + 1 }]
  })
  const kinds = new Map(diffs.map(({ path, kind }) => [stepsOf(path)[2], kind]))
  const changed = after.flatMap((row, at): readonly FieldDiff[] => {
    const [path, place] = [`${list}[${at}]`, places[at]]
    if (place === at) return diffs.filter((diff) => diff.path.startsWith(`${path}.`))
    const old = place === undefined ? undefined : before[place]
    if (!old) return [{ path, kind: 'other', after: row }]
    return changedNames(copyOf(old), copyOf(row)).map((name) => ({
      path: `${path}.${name}`,
      kind: kinds.get(name) ?? 'text',
      before: old[name],
      after: row[name],
    }))
  })
  const gone = before.flatMap((row, at): readonly FieldDiff[] =>
    places.includes(at) ? [] : [{ path: `${list}[${at}]`, kind: 'other', before: row }],
  )
  return { moves, diffs: [...changed, ...gone] }
}

const changedNames = (one: Row, other: Row): readonly string[] =>
  Object.keys({ ...one, ...other }).filter((name) => !isSame(one[name], other[name]))

/** The number of pairs of rows that are compared field by field; more are taken for new. */
const mostPairs = 10_000

/** For each row the position that it had before, by its id, else by what it has in common; `undefined` if it is new. */
function placesOf(before: Rows, after: Rows): readonly (number | undefined)[] {
  const places: (number | undefined)[] = after.map(() => undefined)
  const free = new Set(before.keys())
  const take = (at: number, place: number): void => {
    if (places[at] !== undefined || !free.delete(place)) return
    places[at] = place
  }
  /** Takes the first free row with the same key for each row. */
  const match = (keyOf: (row: Row, at: number) => unknown): void => {
    const byKey = Map.groupBy([...free].toReversed(), (place) => keyOf(before[place] ?? {}, place))
    for (const [at, row] of after.entries()) {
      const place = places[at] === undefined ? byKey.get(keyOf(row, at))?.pop() : undefined
      if (place !== undefined) take(at, place)
    }
  }
  match((row, at) => `${at} ${rowText(row)}`)
  match(rowText)
  match((row) => row['id'] ?? row)
  const rest = [...after.entries()].filter(([at]) => places[at] === undefined)
  if (rest.length * free.size > mostPairs) return places
  const likeness = (row: Row, at: number, place: number): number => {
    const common = Object.keys(row).length - changedNames(before[place] ?? {}, row).length
    return Math.max(0, common) + (place === at && before.length === after.length ? 0.5 : 0)
  }
  rest
    .flatMap(([at, row]) => [...free].map((place) => ({ at, place, worth: likeness(row, at, place) })))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .forEach(({ at, place }) => take(at, place))
  return places
}

/** A text that rows have in common if all their fields are the same. */
const rowText = (row: Row): string =>
  JSON.stringify(row, (_name, value: unknown) =>
    isRow(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
