/** Compares what a site and its drafts have with what the oracle says. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import { Page } from '../../plugins/content/page.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { conflictsIn, type PlacedConflict } from './conflicts.ts'
import { contentIn, type World } from './play-world.ts'
import {
  differing,
  listAt,
  type Open,
  orderName,
  pageAt,
  pagesIn,
  textOf,
  type Tree,
  type Value,
  valueAt,
  withLastAddresses,
  withoutOrders,
} from './tree.ts'

export function compare(world: World, found: Tree, wanted: Tree, what: string): void {
  const [actual, expected] = [found, wanted].map((tree) =>
    withoutOrders(world.compared(withLastAddresses(tree))),
  )
  const paths = differing(actual, expected)
  const at = (value: Value | undefined) => paths.map((path) => `${path}: ${textOf(valueAt(value, path))}`)
  assert.deepEqual(at(actual), at(expected), what)
}

/** Compares a draft with the oracle, which then knows the orders as they are. */
export async function check(world: World, name: string): Promise<Tree> {
  const content = await contentIn(world, name)
  world.contents.set(name, [...(world.contents.get(name) ?? []), content])
  const found = world.treeOfContent(content)
  const draft = world.oracle.draft(name)
  compare(world, found, draft.now, `draft ${name}`)
  for (const { at, wanted } of draft.orders) {
    if ((at === '' && !world.isOrderKnown) || world.oracle.meaning.isDoubtful(at)) continue
    const order = listAt(at === '' ? found : valueAt(found, at), orderName)
    const both = wanted.filter((each) => order.includes(each))
    assert.deepEqual(
      order.filter((each) => both.includes(each)),
      both,
      `the order of ${at} in ${name}`,
    )
  }
  draft.orders = []
  draft.now = found
  assert.deepEqual(world.website.odd, world.odd, 'the entries that cannot be read')
  return found
}

/** The place of a conflict. */
export function placeOf(
  world: World,
  name: string,
  { slug, blockId, path = '', kind, ...sides }: PlacedConflict & { base?: unknown; ours?: unknown },
): string {
  const parts = path === '' ? [] : pathParts(path, sides)
  if (slug === '') return ['config', ...parts].join('|')
  const trees = [world.oracle.draft(name).now, world.oracle.meaning.known]
  if (blockId !== undefined) {
    const block = `block ${world.blockName(blockId)}`
    const page = trees.flatMap(pagesIn).find(([, each]) => block in each)?.[0]
    return [page, block, ...parts].join('|')
  }
  const pages = [sides.ours, sides.theirs].map((side) =>
    path === '' && isPlainObject(side) ? world.nameOf(v.parse(Page, side)) : undefined,
  )
  const named = pages.filter((each) => each !== undefined)
  if (kind === 'changed' && path === '') return `clash ${slug}`
  const page =
    named[0] === undefined ? trees.map((tree) => pageAt(tree, slug)).find(Boolean) : `page ${named[0]}`
  return [page, ...parts].join('|')
}

export const places = (world: World, name: string, conflicts: readonly PlacedConflict[]) =>
  conflicts.map((each) => placeOf(world, name, each)).toSorted()

export const compareOpen = (world: World, name: string, answer: Injected, open: readonly Open[]) => {
  const found = conflictsIn(answer)
  assert.deepEqual(
    places(world, name, found),
    open.map(({ at }) => at).toSorted(),
    `conflicts of ${name}: ${JSON.stringify(found)}`,
  )
  return found
}

/** The names on the way to a value, from the path of a conflict. */
function pathParts(
  path: string,
  { base, theirs }: { readonly base?: unknown; readonly theirs?: unknown },
): readonly string[] {
  const run = /^(\w+)\[after=/.exec(path)
  if (run) return [`${run[1]}#${rowTexts(base)}${rowTexts(theirs)}`]
  const parts: string[] = []
  for (const [, name, id, key] of path.matchAll(/([$\w]+)|\[id="([^"]*)"\]|\["([^"]*)"\]/g))
    parts.push(id === undefined ? (key ?? (name === 'redirects' ? '$redirects' : (name ?? ''))) : `row ${id}`)
  return parts
}

const rowTexts = (rows: unknown): string =>
  JSON.stringify(Array.isArray(rows) ? rows.map((row) => (isPlainObject(row) ? row['q'] : row)) : [])
