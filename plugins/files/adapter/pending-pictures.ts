/**
 * Pictures that were uploaded for a website: beside what is known of its files, until a publish writes a file
 * that refers to them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { basename } from 'node:path/posix'
import { machineTime, writeDurably } from '../../../kernel/index.ts'
import { decoded } from '../../content/slugs.ts'
import { isPicture, pathIn } from './picture-addresses.ts'
import { openOwnFolder } from './readings.ts'
import { isForeign } from './select.ts'

/** A picture that is not in the folder of the website yet. */
export interface PendingPicture {
  /** Where it is to be. */
  readonly path: string
  /** The file with its bytes. */
  readonly copyOf: string
  /** The path of the first file that refers to it, as far as that is known. */
  readonly usedBy?: string
}

export type PendingPictures = Awaited<ReturnType<typeof openPendingPictures>>

const dayMs = 24 * 60 * 60 * 1000
const unusedDays = 30
let written = 0

/** Opens the pictures that wait for a folder. Rejects if its folder for them leads out of it. */
export async function openPendingPictures(root: string) {
  const { folder, prepare } = await openOwnFolder(root, 'pictures')
  const pending = new Map<string, PendingPicture>()
  const seen = new Map<string, number>()

  /** Looks at what waits: another process of the service may have got it, or published it. */
  function look(): ReadonlyMap<string, PendingPicture> {
    const names = new Set(namesIn(folder))
    for (const path of pending.keys()) if (!names.has(nameOf(path))) pending.delete(path)
    for (const name of names) {
      const path = decoded(name) ?? ''
      if (!pending.has(path) && isPicture(path) && !isForeign(path) && nameOf(path) === name)
        pending.set(path, { path, copyOf: join(folder, name) })
    }
    return pending
  }

  /** Notes that a picture is in a draft. */
  function see(path: string, file: string): void {
    const now = machineTime()
    if (now - (seen.get(path) ?? 0) < dayMs) return
    seen.set(path, now)
    void utimes(file, now / 1000, now / 1000).catch(() => undefined)
  }

  /** Removes what no draft has used for long, and what a process that was killed has left. */
  async function sweep(): Promise<void> {
    for (const name of await readdir(folder)) {
      const found = await stat(join(folder, name)).catch(() => undefined)
      if (!found || machineTime() - found.mtimeMs < unusedDays * dayMs) continue
      await rm(join(folder, name), { force: true })
    }
  }

  return {
    paths: () => look().keys(),
    /** Returns the bytes of a picture; `undefined` if it does not wait. */
    read(path: string): Uint8Array | undefined {
      const file = look().get(path)?.copyOf
      if (file === undefined) return undefined
      see(path, file)
      return bytesOf(file)
    },
    /** Returns the pictures that texts of files refer to, but those that the folder has already. */
    usedIn(texts: ReadonlyMap<string, string | undefined>): readonly PendingPicture[] {
      const used: PendingPicture[] = []
      for (const picture of look().values()) {
        const { path, copyOf } = picture
        const [usedBy] = [...texts].find(([, text]) => text !== undefined && refersTo(text, path)) ?? []
        if (usedBy === undefined) continue
        see(path, copyOf)
        // The same object as long as nothing changes, by which a caller knows that.
        const found = picture.usedBy === usedBy ? picture : { path, copyOf, usedBy }
        pending.set(path, found)
        if (!isSame(join(root, path), copyOf)) used.push(found)
      }
      return used
    },
    async store(path: string, bytes: Uint8Array): Promise<void> {
      await prepare()
      await sweep()
      await writeDurably(join(folder, nameOf(path)), bytes, { temporary: `.${process.pid}.${++written}` })
    },
    remove: (path: string): Promise<void> => rm(join(folder, nameOf(path)), { force: true }),
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The path without slashes, so that no folder below could be a link to another place. */
const nameOf = (path: string): string => path.replaceAll('%', '%25').replaceAll('/', '%2F')

const isSame = (place: string, copy: string): boolean =>
  existsSync(place) && Buffer.compare(bytesOf(place) ?? Buffer.of(), bytesOf(copy) ?? Buffer.of()) === 0

function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** What ends an address in a file of any kind. */
const ofAddress = /[^\s"'`()<>[\]{},=\\]/

/** Whether a text has an address that can be that of a picture, by its name and folders. */
function refersTo(text: string, path: string): boolean {
  const name = basename(path)
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    if (/[\w-]/.test(text[end] ?? '')) continue
    let start = at
    while (start > 0 && ofAddress.test(text[start - 1] ?? '')) start -= 1
    if (`/${path}`.endsWith(`/${pathIn(text.slice(start, end))}`)) return true
  }
  return false
}
