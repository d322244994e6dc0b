/**
 * Sequences of what two drafts and a developer do to the files of a website, beside the oracle of merges, which
 * reads the files in a way of its own.
 */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { contentFiles } from '../../config/content-files.ts'
import { mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { drafts as draftsPort } from '../../plugins/draft/port.ts'
import { createFileNames, nameOfPage, pageOfFile, partName, unaskedChanges, wordOf } from './file-parts.ts'
import {
  developed,
  type DeveloperEdit,
  type EditorEdit,
  type Files,
  firstFiles,
  operationsIn,
} from './file-play-edits.ts'
import type { FilePlayStep } from './file-play-steps.ts'
import { check, compare } from './play-compare.ts'
import { changed, decide, discard, fill, look, recentSlug, undo, undoChange } from './play-drafts.ts'
import { due, inMs, publish, publishPart, rollBack, schedule } from './play-publishes.ts'
import { createWebsite } from './play-site.ts'
import { contentIn, createWorld, read, shown, type Tally, type World } from './play-world.ts'
import { noon, publishing } from './publishing.ts'
import { temporaryFolder } from './stack.ts'
import { pageAt, pagesIn, textAt, type Tree, withPart } from './tree.ts'
import { siteId } from './website.ts'
import { ofSite, siteOfFiles } from './website-files.ts'

/** The files of a folder below which nothing else is. */
function filesBelow(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    names.flatMap((entry) => {
      const place = join(entry.parentPath, entry.name)
      const path = place.slice(folder.length + 1)
      return entry.isFile() && !path.startsWith('.') ? [[path, readFileSync(place, 'utf8')] as const] : []
    }),
  )
}

type FileWorld = World & {
  readonly folder: string
  readonly past: { readonly before: Files[]; readonly broken: Map<string, string> }
  /** Lets the service read the files, as a watcher does. */
  readonly readFiles: () => Promise<unknown>
  serial: number
}

interface Ends {
  teardown(end: () => unknown): void
}

/** Plays steps on a new folder, and throws where files, drafts, conflicts or answers are not as the oracle says. */
export async function playFiles(list: readonly FilePlayStep[], tally: Tally): Promise<void> {
  const ends: (() => unknown)[] = []
  try {
    const world = openWorld({ teardown: (end) => void ends.push(end) }, tally)
    for (const name of ['dev', 'review']) {
      await fill(world, name)
      // Names the blocks, also those that the first edit removes.
      await read(world, name)
    }
    for (const step of list) {
      const before = filesBelow(world.folder)
      const times = timesOf(world.folder, before)
      if ('draft' in step) await fill(world, step.draft)
      await take(world, step)
      if (step.kind !== 'site') checkBytes(world, { before, times }, step)
      if ('draft' in step) {
        await check(world, step.draft)
        checkIds(world, step.draft)
      }
    }
    for (const name of world.clients.keys()) {
      if (!world.oracle.isFilled(name)) continue
      await look(world, name, 'diff')
      await check(world, name)
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

function openWorld(t: Ends, tally: Tally): FileWorld {
  const folder = temporaryFolder(t)
  writeFiles(folder, new Map(Object.entries(firstFiles)), 0)
  const adapter = contentFiles(folder)
  const time = stillClock(noon)
  const mounted = mountForTest(t, publishing({ time, env: ofSite, targets: [], seeds: siteOfFiles(adapter) }))
  const ask: Ask = (request) => mounted.inject(request)
  const names = createFileNames()
  const listed = () => ({
    pages: [...filesBelow(folder)].flatMap(([path, text]): Page[] => {
      const page = path === 'hugo.toml' ? undefined : pageOfFile(path, text)
      return page ? [page] : []
    }),
    settings: {},
  })
  const site = {
    ...createWebsite({ isBehind: false }),
    listed,
    sent: listed,
    answer: () => Object.fromEntries(filesBelow(folder)),
  }
  const drafts = () => mounted.get(draftsPort)
  const setup = { ask, drafts, siteId, origin: '', site, tally, isBehind: false, time }
  return Object.assign(createWorld(setup), {
    nameOf: names.nameOf,
    blockName: names.blockName,
    treeOfContent: names.treeOf,
    compared: (tree: Parameters<typeof withPart>[0]) => withPart(tree, 'config', undefined),
    isOrderKnown: false,
    isStored: true,
    folder,
    past: { before: [], broken: new Map<string, string>() },
    readFiles: () => adapter.readContent(),
    serial: 1,
  })
}

const hourMs = 3_600_000

/** Whether content has a page at the path of a file that a developer has made unreadable. */
const isAtBroken = ({ past }: FileWorld, tree: Tree): boolean =>
  [...past.broken.keys()].some((path) => pageAt(tree, `/~${path}`) !== undefined)

/**
 * Publishes what has a page at the path of an unreadable file, which is refused, and writes nothing; returns
 * whether the step does that.
 */
async function isRefusedAtBroken(world: FileWorld, step: FilePlayStep): Promise<boolean> {
  if (world.past.broken.size === 0) return false
  if (step.kind === 'due') {
    const { pins } = world.oracle.draft(step.draft)
    return pins.some(({ now }) => isAtBroken(world, now))
  }
  if (step.kind === 'roll back') {
    const [commit, tree] = [world.snapshots[step.to], world.oracle.published[step.to]]
    return commit !== undefined && tree !== undefined && isAtBroken(world, tree)
      ? refuse(world, step.draft, { commit })
      : false
  }
  const isScheduled = step.kind === 'schedule'
  if (step.kind !== 'publish' && step.kind !== 'part' && !isScheduled) return false
  await look(world, step.draft, 'diff')
  await check(world, step.draft)
  const { now, shown: open } = world.oracle.draft(step.draft)
  if (!isAtBroken(world, now) || (open.size > 0 && !step.overwrite)) return false
  const overwrite = step.overwrite ? { overwrite: true } : {}
  if (isScheduled) return refuse(world, step.draft, { ...overwrite, at: inMs(world, hourMs) })
  if (step.kind === 'publish') return refuse(world, step.draft, overwrite)
  const named = recentSlug(world, step.draft, step.which)
  if (!world.past.broken.has(named.slice('/~'.length))) return false
  return refuse(world, step.draft, { pages: [named], ...overwrite })
}

/**
 * Whether a step creates a page with source text that the files have lost: a text that was stored comes back,
 * any other one is refused, as source text is copied and not created.
 */
function createsSource(world: FileWorld, step: FilePlayStep): boolean {
  const there = world.treeOfContent(world.site.listed())
  const found = new Set(pagesIn(there).flatMap(([, page]) => wordsIn(page)))
  // A copy has that of a file with the same parts.
  const isCopy = ([name, page]: readonly [string, Tree]): boolean =>
    name.startsWith('page copy') && wordsIn(page).some((word) => found.has(word))
  const isLost = ([name, page]: readonly [string, Tree]): boolean =>
    !(name in there) &&
    !isCopy([name, page]) &&
    Object.values(page).some((part) => textAt(part, 'type') === 'Source')
  const hasLost = (tree: Tree | undefined): boolean => tree !== undefined && pagesIn(tree).some(isLost)
  if (step.kind === 'roll back') return hasLost(world.oracle.published[step.to])
  if (step.kind === 'due') return world.oracle.draft(step.draft).pins.some(({ now }) => hasLost(now))
  if (step.kind !== 'publish' && step.kind !== 'part' && step.kind !== 'schedule') return false
  const { now, agreed } = world.oracle.draft(step.draft)
  // What the site has removed is a conflict, unless that was decided.
  return pagesIn(now).some((page) => isLost(page) && (step.overwrite || !(page[0] in agreed)))
}

/** The names of the parts of a page but for those that each page has. */
const wordsIn = (page: Tree): readonly string[] =>
  Object.keys(page).flatMap((name) => wordOf(name.replace(/^.*-/, '')) || [])

async function refuse(world: FileWorld, name: string, body: object): Promise<true> {
  const before = filesBelow(world.folder)
  const answer = await world.clientOf(name).send('/publish', body)
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.text, /"code":"slug_unreadable"/)
  assert.deepEqual(filesBelow(world.folder), before, 'a refused publish')
  world.count('slug_unreadable')
  return true
}

async function take(world: FileWorld, step: FilePlayStep): Promise<unknown> {
  if ((await isRefusedAtBroken(world, step)) || createsSource(world, step)) return
  switch (step.kind) {
    case 'edit':
      return edit(world, step.draft, step.edit)
    case 'site':
      return develop(world, step.edit)
    case 'publish':
      return publish(world, step.draft, step.overwrite)
    case 'part':
      return publishPart(world, step)
    case 'diff':
    case 'follow':
      return look(world, step.draft, step.kind)
    case 'decide':
      // A page at the slug of an entry that cannot be read does not come back.
      return decide(world, { ...step, isUndone: step.isUndone && world.past.broken.size === 0 })
    case 'schedule':
      return schedule(world, step.draft, step.overwrite)
    case 'due':
      return due(world, step.draft, step.which)
    case 'undo':
    case 'redo':
      return undo(world, step.draft, step.which, step.kind)
    case 'undo change':
      return undoChange(world, step.draft, step.which)
    case 'discard':
      return discard(world, step)
    case 'roll back':
      return rollBack(world, step.draft, step.to)
  }
}

async function edit(world: FileWorld, name: string, change: EditorEdit): Promise<void> {
  const { pages } = await contentIn(world, name)
  const ops = operationsIn(change, pages, ++world.serial)
  if (ops.length === 0) return
  const answer = await world.clientOf(name).ops(ops)
  world.count(answer.status === 200 ? `edit ${change.what}` : `refused ${change.what}`)
  if (answer.status === 200) return changed(world, name, answer, true)
  assert.equal(answer.status, 400, `${JSON.stringify(ops)} ${answer.text}`)
  compare(world, await read(world, name), world.oracle.draft(name).now, 'a refused edit')
}

/** A developer saves files; the service sees each save. */
async function develop(world: FileWorld, change: DeveloperEdit): Promise<void> {
  const before = filesBelow(world.folder)
  const broken = new Map(world.past.broken)
  const changes = developed(change, before, world.past, ++world.serial)
  if (changes.size === 0) return
  writeFiles(world.folder, changes, world.serial)
  if (world.oracle.meaning.hasShrunk(shown(world))) {
    // Drafts follow that only with a confirmation.
    writeFiles(
      world.folder,
      new Map([...changes.keys()].map((path) => [path, before.get(path)])),
      world.serial,
    )
    for (const path of world.past.broken.keys()) if (!broken.has(path)) world.past.broken.delete(path)
    return
  }
  world.past.before.push(before)
  world.count(`developer ${change.what}`)
  await world.readFiles()
}

/** Writes files as an editor of code does: a new one in the place of the old one. Each has a time of its own. */
function writeFiles(folder: string, changes: ReadonlyMap<string, string | undefined>, serial: number): void {
  for (const [path, text] of changes) {
    const place = join(folder, path)
    if (text === undefined) {
      rmSync(place, { force: true })
      continue
    }
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(`${place}.new`, text)
    utimesSync(`${place}.new`, 0, 1_700_000_000 + serial)
    renameSync(`${place}.new`, place)
  }
}

const timesOf = (folder: string, files: Files) =>
  new Map([...files.keys()].map((path) => [path, statSync(join(folder, path)).mtimeMs]))

const publishes = new Set(['publish', 'part', 'due', 'roll back'])

/** Only a publish writes, only files that differ, and in them only what was edited. */
function checkBytes(
  { folder }: FileWorld,
  { before, times }: { readonly before: Files; readonly times: ReadonlyMap<string, number> },
  { kind }: FilePlayStep,
): void {
  const after = filesBelow(folder)
  if (!publishes.has(kind)) return assert.deepEqual(after, before, `${kind} writes no file`)
  const now = timesOf(folder, after)
  const byName = new Map(
    [...before].flatMap(([path, text]) => {
      const page = pageOfFile(path, text)
      return page ? [[nameOfPage(page), text] as const] : []
    }),
  )
  for (const [path, text] of after) {
    if (before.get(path) === text) assert.equal(now.get(path), times.get(path), `${path} was written`)
    const page = path === 'hugo.toml' ? undefined : pageOfFile(path, text)
    const was = page ? byName.get(nameOfPage(page)) : before.get(path)
    if (was !== undefined)
      assert.deepEqual(unaskedChanges(path, [was, text]), [], `${path}: ${was} => ${text}`)
  }
}

/** A block that a draft has before and after a step keeps its id. */
function checkIds(world: FileWorld, name: string): void {
  const [before, after] = (world.contents.get(name) ?? []).slice(-2).map(({ pages }) => idsIn(pages))
  for (const [block, id] of after ?? []) {
    const was = before?.get(block)
    if (was !== undefined) assert.equal(id, was, `the id of ${block} in ${name}`)
  }
}

const idsIn = (pages: readonly Page[]): ReadonlyMap<string, string> =>
  new Map(
    pages.flatMap((page) =>
      page.blocks.map((block) => [`${nameOfPage(page)}-${partName(block)}`, block.id] as const),
    ),
  )
