/** The changes of a block, field by field. The differences of a publish compare rows by position; here a row stays itself. */
import { textIn } from './label.ts'
import { longestRising, type Move } from './moves.ts'
import { copyOf, isRow, isSame, stepsOf, type Row } from './place.ts'
import type { PageDiff } from './review.ts'

type FieldDiff = NonNullable<PageDiff['metaDiffs']>[number]
type Rows = readonly Row[]

export interface RowMove extends Move {
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
    const known = props[name]
    if (!isRows(known) || !own.every(({ path }) => path.startsWith(`${name}[`)))
      return { name, moves: [], diffs: own }
    const wanted = side === 'after' ? 'before' : 'after'
    const other = own.reduce<unknown>(
      (rows, diff) => put(rows, stepsOf(diff.path).slice(1), diff[wanted]),
      known,
    )
    const rows = isRows(other) ? other : []
    const lists = side === 'after' ? { before: rows, after: known } : { before: known, after: rows }
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

function changesOfRows(list: string, { before, after }: Lists, known: readonly FieldDiff[]) {
  const places = placesOf(before.map(copyOf), after.map(copyOf))
  const kept = places.filter((place) => place !== undefined)
  const stays = longestRising(kept)
  const moves = after.flatMap((row, at) => {
    const place = places[at]
    if (place === undefined || stays.has(kept.indexOf(place))) return []
    return [{ text: textIn(row), from: place + 1, to: at + 1 }]
  })
  const kinds = new Map(known.map(({ path, kind }) => [stepsOf(path)[2], kind]))
  const changed = after.flatMap((row, at): readonly FieldDiff[] => {
    const [path, place] = [`${list}[${at}]`, places[at]]
    if (place === at) return known.filter((diff) => diff.path.startsWith(`${path}.`))
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

/** For each row the position that it had before, by its id, else by what it has in common; `undefined` if it is new. */
function placesOf(before: Rows, after: Rows): readonly (number | undefined)[] {
  const places: (number | undefined)[] = after.map(() => undefined)
  /** Matches the rows that are still free, the most alike first. */
  const match = (likeness: (old: Row, row: Row, isInPlace: boolean) => number): void =>
    after
      .flatMap((row, at) =>
        before.map((old, place) => ({ at, place, worth: likeness(old, row, place === at) })),
      )
      .filter(({ at, place, worth }) => worth > 0 && places[at] === undefined && !places.includes(place))
      .toSorted((a, b) => b.worth - a.worth)
      .forEach(({ at, place }) => {
        if (places[at] === undefined && !places.includes(place)) places[at] = place
      })
  match((old, row) => Number(isSame(old, row)))
  match((old, row) => Number(row['id'] !== undefined && old['id'] === row['id']))
  match((old, row, isInPlace) => {
    const common = Object.keys(row).length - changedNames(old, row).length
    return Math.max(0, common) + (isInPlace && before.length === after.length ? 0.5 : 0)
  })
  return places
}
