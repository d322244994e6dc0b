import type { Clock, Logger } from '../../kernel/index.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Drafts } from '../draft/port.ts'
import type { Baselines, Snapshots } from '../publish/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Store } from '../store/port.ts'
import type { Room } from './room.ts'

export interface SweepContext {
  readonly blobs: Blobs
  readonly room: Room
  readonly store: Store
  readonly drafts: Drafts
  readonly baselines: Baselines
  readonly snapshots: Snapshots
  readonly clock: Clock
  readonly log: Logger
  /** Files that nothing refers to are deleted when they are so many days old. */
  readonly days: number
}

const day = 24 * 60 * 60 * 1000
/** What tells a stored file from every other, within its name and within whatever refers to it; a picture of Drive by its name there. */
const mark = /\d{13}_[0-9a-f]{32}|gdrive(?:_|\/images\/)[\w-]+/g
/** One name for a picture of Drive, its address and its sizes; two pictures that come to share one keep each other. */
const nameIn = (found: string): string => found.replace('/images/', '_').split(/_w\d/, 1)[0] ?? ''
const attempts = 3

/**
 * Makes what deletes old files that no stored document and no published page refers to: no draft, nothing that history can put
 * back, no snapshot and no plan that waits. It gives how many are gone.
 *
 * Where published pages cannot be read, or somebody writes all the time it looks, nothing is deleted: the next one will.
 */
export function createSweep({ blobs, room, store, drafts, baselines, snapshots, clock, log, days }: SweepContext): () => Promise<number> {
  const findOld = async () => {
    const before = clock.now().getTime() - days * day
    const old = new Map<string, { readonly key: string; readonly size: number }[]>()
    for await (const { key, size, changed } of blobs.list()) {
      const [found] = key.match(mark) ?? []
      if (found === undefined || changed >= before) continue
      const name = nameIn(found)
      old.set(name, [...(old.get(name) ?? []), { key, size }])
    }
    return old
  }

  /** Every text that may refer to a file; `undefined` once where one cannot be read. */
  async function* texts(): AsyncGenerator<string | undefined> {
    yield* store.texts()
    const sites = new Map((await drafts.list()).map(({ id }): [string, DraftId] => [id.siteId, id]))
    for (const id of sites.values()) {
      const { content } = await baselines.read(id, {})
      if (!content) {
        // Of a site that was never published to, nothing here is shown.
        if (await snapshots.newest({ siteId: id.siteId })) yield undefined
        continue
      }
      for (const page of content.pages) yield JSON.stringify(page)
      yield JSON.stringify(content.siteConfig ?? {})
    }
  }

  return async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const unused = await findOld()
      if (unused.size === 0) return 0
      const commits = store.commits()
      for await (const text of texts()) {
        if (text === undefined) {
          log.warn({ files: unused.size }, 'no old file is deleted, because published pages cannot be read')
          return 0
        }
        for (const [found] of text.matchAll(mark)) unused.delete(nameIn(found))
      }
      if (store.commits() !== commits) continue
      const doomed = [...unused.values()].flat()
      for (const { key, size } of doomed) if (await blobs.remove(key)) room.free(size)
      if (doomed.length > 0) log.info({ files: doomed.length }, 'deleted old files that nothing refers to')
      return doomed.length
    }
    return 0
  }
}

const hour = 60 * 60 * 1000

/** Runs work at once and then every so many milliseconds, an hour without them; a run that fails is logged, and the next one tries again. */
export function repeat(work: () => Promise<unknown>, log: Logger, every = hour) {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = (): void => {
    running = running.then(work).then(() => undefined, (err: unknown) => log.warn({ err }, 'old files could not be looked through'))
  }
  return {
    start() {
      run()
      timer = setInterval(run, every).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
