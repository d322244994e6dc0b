/**
 * The last readings of files, in a folder of the website that git ignores, so that a restart knows their
 * blocks.
 */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { errorCode, writeDurably } from '../../../kernel/index.ts'
import { Block, type Page, PageMeta } from '../../content/page.ts'
import { parsedJson } from '../../content/plain-object.ts'
import { isInside } from './find.ts'

/** A text of a file by its hash, its blocks, and what a publish has called its page. */
export interface KnownText {
  readonly hash: string
  /** The hash of the text from which publishes alone have made this one; by default its own. */
  readonly origin?: string | undefined
  readonly blocks: readonly Block[]
  readonly sent?: Pick<Page, 'title' | 'meta'> | undefined
}

/** What is known of a file. */
export interface FileReadings {
  readonly path: string
  /** The id of its page. */
  readonly id: string
  /** The newest text first, then the one before it: a publish that was cut off leaves that in the file. */
  readonly texts: readonly KnownText[]
  /** What it has had, which may come back. */
  readonly former?: readonly string[] | undefined
}

const Stored: v.GenericSchema<unknown, FileReadings> = v.object({
  version: v.literal(1),
  path: v.string(),
  id: v.string(),
  former: v.optional(v.array(v.string())),
  texts: v.array(
    v.object({
      hash: v.string(),
      origin: v.optional(v.string()),
      blocks: v.array(Block),
      sent: v.optional(v.object({ title: v.string(), meta: v.optional(PageMeta) })),
    }),
  ),
})

export const hashOf = (text: string): string => hash('sha256', text).slice(0, 32)

/** The readings of the files below a folder. */
export interface Readings {
  /** Returns what is known of a file; a record that cannot be read is none. */
  read(path: string): Promise<FileReadings | undefined>
  has(path: string): boolean
  /** Returns the blocks of a text of a file by its hash, at once; `undefined` if they are not stored any more. */
  blocksOf(path: string, hash: string): readonly Block[] | undefined
  /** Whether something is known of files that are not among these. */
  hasOthers(paths: readonly string[]): boolean
  /** Returns what is known of files that are not among these. */
  ofOthers(paths: readonly string[]): Promise<readonly FileReadings[]>
  /**
   * Stores what is known of a file. What can be made again from its text need not survive a power loss: then
   * `isDurable` is false.
   */
  write(readings: FileReadings, isDurable: boolean): Promise<void>
  remove(path: string): Promise<void>
  /** Stores a text, with the rights of a file, until that is put in its place by a rename; returns where it is. */
  hold(
    text: string | Uint8Array,
    rights: { readonly folder: string; readonly mode: number | undefined },
  ): Promise<string>
}

const ownFolder = '.orchestrator'
let written = 0

/** Returns a folder for what is stored beside a website. Rejects if it leads out of it. */
export async function openOwnFolder(root: string, name: string) {
  const folder = join(root, ownFolder, name)
  const real = await realpath(folder).catch(() => undefined)
  if (real !== undefined && !isInside(root, real))
    throw new Error(`The folder ${ownFolder} leads out of the website; remove the link.`)
  let prepared: Promise<void> | undefined
  return { folder, prepare: () => (prepared ??= prepare(root, folder)) }
}

/** Opens the readings of a folder. Rejects if its folder for them leads out of it. */
export async function openReadings(root: string): Promise<Readings> {
  const { folder, prepare } = await openOwnFolder(root, 'files')
  const names = new Set(await readdir(folder).catch(() => []))
  // Of a publish that was cut off.
  for (const name of names) if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true })
  const nameOf = (path: string): string => `${hashOf(path)}.json`
  const readNamed = async (name: string): Promise<FileReadings | undefined> =>
    readingsIn(await readFile(join(folder, name), 'utf8').catch(() => ''))
  const namesOfOthers = (paths: readonly string[]): readonly string[] => {
    const own = new Set(paths.map(nameOf))
    return [...names].filter((name) => !own.has(name) && name.endsWith('.json'))
  }
  return {
    async read(path) {
      const found = names.has(nameOf(path)) ? await readNamed(nameOf(path)) : undefined
      return found?.path === path ? found : undefined
    },
    has: (path) => names.has(nameOf(path)),
    blocksOf(path, hash) {
      const found = readingsIn(textAt(join(folder, nameOf(path))))
      return found?.texts.find((text) => text.hash === hash)?.blocks
    },
    hasOthers: (paths) => namesOfOthers(paths).length > 0,
    ofOthers: async (paths) =>
      (await Promise.all(namesOfOthers(paths).map(readNamed))).filter((each) => each !== undefined),
    async write(readings, isDurable) {
      await prepare()
      const name = nameOf(readings.path)
      const text = JSON.stringify({ version: 1, ...readings })
      if (!isDurable) writeFileSync(join(folder, name), text)
      else await writeDurably(join(folder, name), text, { temporary: `.${name}.${process.pid}.${++written}` })
      names.add(name)
    },
    async hold(text, { folder: beside, mode }) {
      await prepare()
      const [own, other] = await Promise.all([folder, beside].map((each) => stat(each)))
      const name = `.${process.pid}.${++written}.tmp`
      // A rename stays on one file system.
      const place = join(own?.dev === other?.dev ? folder : beside, name)
      await writeDurably(place, text, { temporary: `${name}.new`, mode })
      return place
    },
    async remove(path) {
      await rm(join(folder, nameOf(path)), { force: true })
      names.delete(nameOf(path))
    },
  }
}

function readingsIn(text: string): FileReadings | undefined {
  const { success, output } = v.safeParse(Stored, parsedJson(text))
  return success ? output : undefined
}

function textAt(place: string): string {
  try {
    return readFileSync(place, 'utf8')
  } catch {
    return ''
  }
}

/** Creates the folder, with a `.gitignore` of its own. */
async function prepare(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const ignoring = writeFile(join(root, ownFolder, '.gitignore'), '*\n', { flag: 'wx' })
  await ignoring.catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}
