/** What a merge has to give, found in a second way: a site is a map of places to values, without orders. */
import { withoutGeneratedItemIds } from '../../plugins/content/items.ts'
import type { Page, SiteConfig } from '../../plugins/content/model.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'

/**
 * Values as JSON, by place. A page, a block and a row have a place of their own, and their parts are below it.
 */
export type OracleValues = ReadonlyMap<string, string>

/** The name of an order, which is a change of what is around it, and has no value of its own. */
const orderName = '#order'

type OracleSide = 'ours' | 'theirs'

/** Returns the values without the orders. */
export const withoutOrders = (values: OracleValues): OracleValues =>
  new Map([...values].filter(([place]) => !place.endsWith(orderName)))

/** Returns the values of a site. A page is known by its key `uid`, which a rename leaves alone. */
export function valuesOf(pages: readonly Page[], config: SiteConfig = {}): OracleValues {
  const values = new Map<string, string>()
  const put = (place: string, value: unknown): void =>
    void values.set(place, JSON.stringify(withoutGeneratedItemIds(value)))
  const putAll = (place: string, object: object, prefix = ''): void => {
    for (const [name, value] of Object.entries(object)) {
      if (name === 'rows' && Array.isArray(value)) {
        put(
          `${place}\n${orderName}`,
          value.map(({ id }) => id),
        )
        for (const { id, ...row } of value) {
          put(`${place}\nrow ${id}`, '')
          putAll(`${place}\nrow ${id}`, row)
        }
      } else if (isPlainObject(value) && name !== 'body') putAll(place, value, `${prefix}${name}.`)
      else if (value !== undefined) put(`${place}\n${prefix}${name}`, value)
    }
  }
  for (const { id: _id, updatedAt: _stamp, blocks, uid, ...page } of pages) {
    put(`page ${uid}`, '')
    putAll(`page ${uid}`, page)
    put(
      `page ${uid}\n${orderName}`,
      blocks.map(({ id }) => id),
    )
    for (const { id, type, props } of blocks) {
      put(`page ${uid}\nblock ${id}`, type)
      putAll(`page ${uid}\nblock ${id}`, props)
    }
  }
  putAll('config', config)
  return values
}

/** Returns the merged values, and the places of the conflicts as `<block> <path>`. */
export function mergedValues(
  base: OracleValues,
  ours: OracleValues,
  theirs: OracleValues,
  wins?: OracleSide,
): { readonly values: OracleValues; readonly conflicts: readonly string[] } {
  const values = new Map<string, string>()
  const conflicts = new Set<string>()
  const texts = [base, ours, theirs].map((side) => {
    const known = new Map<string, string | undefined>()
    return (place: string, unit: string | undefined): string | undefined => {
      if (unit === undefined) return side.get(place)
      if (!known.has(unit)) known.set(unit, textBelow(side, unit))
      return known.get(unit)
    }
  })
  for (const place of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    if (place.endsWith(orderName)) continue
    const unit = unitOf(place, base, ours, theirs)
    const [was, here, there] = texts.map((textOf) => textOf(place, unit))
    const isMet = here !== there && was !== here && was !== there
    if (isMet && !wins) conflicts.add(unit ?? place)
    const side = isMet ? wins : was === here ? 'theirs' : 'ours'
    const value = (side === 'theirs' ? theirs : ours).get(place)
    if (value !== undefined) values.set(place, value)
  }
  return { values, conflicts: [...conflicts].map(nameOf).toSorted() }
}

/**
 * The smallest thing around a place that is decided as one: the outermost page, block or row that a side lacks or of
 * which the type differs; `undefined` for the place alone.
 */
function unitOf(
  place: string,
  base: OracleValues,
  ours: OracleValues,
  theirs: OracleValues,
): string | undefined {
  const parts = place.split('\n')
  const around = parts.map((_part, at) => parts.slice(0, at + 1).join('\n'))
  const isOne = (element: string): boolean => {
    if (!/(?:^|\n)(?:page|block|row) [^\n]*$/.test(element)) return false
    const [here, there, was = here] = [ours.get(element), theirs.get(element), base.get(element)]
    return here === undefined || there === undefined || here !== there || was !== here
  }
  return around.find(isOne)
}

const textBelow = (side: OracleValues, unit: string): string | undefined =>
  side.has(unit)
    ? JSON.stringify([...side].filter(([place]) => `${place}\n`.startsWith(`${unit}\n`)).toSorted())
    : undefined

function nameOf(unit: string): string {
  const [, block = ''] = /\nblock ([^\n]*)/.exec(unit) ?? []
  const path = unit
    .replace(/^(?:page [^\n]*|config)\n?/, '')
    .replace(/^block [^\n]*\n?/, '')
    .replace(/^row ([^\n]*)\n?/, 'rows[id="$1"].')
    .replace(/\.$/, '')
  return `${block} ${path}`
}
