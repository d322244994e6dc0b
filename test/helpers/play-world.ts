/** What is played on: a site, its drafts, and the oracle. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import type { Ask, stillClock } from '../../kernel/testing.ts'
import { Page } from '../../plugins/content/page.ts'
import type { Drafts } from '../../plugins/draft/port.ts'
import type { Content } from './play-edits.ts'
import { type Answer, createOracle, type UndoableChange } from './play-oracle.ts'
import { isVolatile } from './play-reads.ts'
import type { createWebsite } from './play-site.ts'
import { editor } from './stack.ts'
import { partsOf, type Tree, treeOf } from './tree.ts'

/** What runs of steps have done, by kind of step, and outcomes. */
export type Tally = Record<string, number>

export interface Setup {
  readonly ask: Ask
  readonly drafts: () => Promise<Drafts>
  readonly siteId: string
  readonly origin: string
  readonly site: Pick<ReturnType<typeof createWebsite>, 'website' | 'listed' | 'answer' | 'sent' | 'reset'>
  readonly tally: Tally
  readonly isBehind: boolean
  readonly time: ReturnType<typeof stillClock>
}

export type World = ReturnType<typeof createWorld>
/** Returns a site as it is at the beginning, without drafts. */
export function createWorld(setup: Setup) {
  const { ask, siteId, site, tally, isBehind, time } = setup
  site.reset()
  const pageNames = createNames()
  const clients = new Map(
    ['dev', 'review', 'late'].map((session) => [session, editor(ask, { siteId, session })] as const),
  )
  return {
    ...setup,
    ...pageNames,
    website: site.website,
    oracle: createOracle({ isBehind, now: () => time.now().getTime() }),
    clients,
    clientOf: (name: string) => clients.get(name) ?? assert.fail(),
    count: (what: string) => void (tally[what] = (tally[what] ?? 0) + 1),
    treeOfContent: ({ pages, settings }: Content): Tree => treeOf(pages, settings, pageNames.nameOf),
    /** The name of a block in trees. */
    blockName: (id: string): string => id,
    /** What of a tree is compared. */
    compared: (tree: Tree): Tree => tree,
    /** Whether the site is read as it is stored, so that it never shows what a publish has replaced. */
    isStored: false,
    /** The entries of the site that cannot be read, as the site has them itself or was last sent them. */
    odd: [] as readonly unknown[],
    snapshots: [] as string[],
    made: new Map<string, Map<number, UndoableChange>>(),
    /** What drafts had, oldest first. */
    contents: new Map<string, Content[]>(),
    /** The pages that were read, by their text: equal ones are the same. */
    reads: new Map<string, Page>(),
    /** False once the site had its pages in another order at every read. */
    isOrderKnown: true,
  }
}

/**
 * The names of pages; `matchedAt` says which page one that is added at a slug is matched with, so that it is
 * none of another name.
 */
export const namesIn = (world: World, matchedAt: (slug: string) => string | undefined) => ({
  nameOf: world.nameOf,
  newName: (slug: string) => newName(world, slug, matchedAt(slug)),
})

/** Which page a page is: its blocks know it, also after a rename. */
function createNames() {
  const byBlock = new Map<string, string>()
  const nameOf = ({ slug, blocks }: Pick<Page, 'slug' | 'blocks'>): string => {
    for (const { id } of blocks) {
      const known = byBlock.get(id) ?? /^(?:hero|faq|bare)-([^_]*)$/.exec(id)?.[1]
      if (known !== undefined) return known
    }
    return `at ${slug}`
  }
  /** A page of other blocks is this one. */
  const isSameAs = (page: Page, name: string): void => {
    for (const { id } of page.blocks) byBlock.set(id, name)
  }
  return { nameOf, isSameAs }
}

export const ok = (answer: Injected): Injected => {
  assert.equal(answer.status, 200, answer.text)
  return answer
}

export const pageIn = async (
  world: World,
  client: ReturnType<typeof world.clientOf>,
  slug: string,
): Promise<Page> => {
  const { text } = ok(await client.get('/draft/pages', { slug }))
  const page = world.reads.get(text) ?? v.parse(Page, JSON.parse(text))
  world.reads.set(text, page)
  return page
}

export const contentIn = async (world: World, name: string): Promise<Content> => {
  const client = world.clientOf(name)
  const pages = await Promise.all((await client.slugs()).map((slug) => pageIn(world, client, slug)))
  const settings = (await (await world.drafts()).config({ siteId: world.siteId, session: name })) ?? {}
  return { pages, settings }
}

export const read = async (world: World, name: string): Promise<Tree> =>
  world.treeOfContent(await contentIn(world, name))

/** What the site shows; as which it was read is known after the request that reads it. */
export function shown(world: World): Answer {
  const publishes = world.website.lastReads.length - 1
  return {
    content: world.treeOfContent(world.site.listed()),
    odd: world.website.odd,
    text: JSON.stringify(world.site.answer()),
    isWhole: () => !isVolatile(world.website.lastReads[publishes]),
  }
}

export const sentTree = (world: World): Tree =>
  world.treeOfContent(world.site.sent() ?? assert.fail('nothing was sent'))

/** All that the site and its drafts have, or have had. */
export const everything = (world: World): readonly Tree[] => [
  ...world.oracle
    .all()
    .flatMap(({ now, agreed, pins }) => [now, agreed, ...pins.flatMap((pin) => [pin.now, pin.agreed])]),
  ...world.oracle.published,
  shown(world).content,
  world.oracle.meaning.known,
  world.treeOfContent(world.website.content),
]

/**
 * A name that no other page has anywhere, or that of the same page elsewhere, which is the one that it is
 * matched with.
 */
const newName = (world: World, slug: string, matched: string | undefined): string => {
  const all = everything(world)
  const base = slug.slice(1)
  for (let n = 0; ; n++) {
    const name = n === 0 ? base : `${base}${n}`
    const slugs = matched === undefined || matched === `page ${name}` ? [undefined, slug] : [undefined]
    if (all.every((tree) => slugs.includes(partsOf(tree[`page ${name}`])['slug'] as string | undefined)))
      return name
  }
}
