import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Blobs } from '../../blobs/port.ts'
import type { Baselines } from '../../baseline/port.ts'
import type { Drafts } from '../../draft/port.ts'
import type { Media } from '../port.ts'
import type { Snapshots } from '../../publish/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { Store } from '../../store/port.ts'

export interface SweepContext {
  readonly blobs: Blobs
  readonly media: Pick<Media, 'remove'>
  readonly store: Store
  readonly drafts: Drafts
  readonly baselines: Baselines
  readonly snapshots: Snapshots
  readonly clock: Clock
  readonly log: Logger
  /** The age in days at which unreferenced files are deleted. */
  readonly days: number
}

const day = 24 * 60 * 60 * 1000
/** Matches the identifying part of a file in its name and in texts; for a Google Drive copy, the id there. */
const mark = /\d{13}_[0-9a-f]{32}|gdrive(?:_|\/images\/)[\w-]+/g
/** One name for a copy, its address and its resized variants; two files with the same name both stay. */
const fileName = (found: string): string => found.replace('/images/', '_').split(/_w\d/, 1)[0] ?? ''
const attempts = 3

/**
 * Creates the sweep, which deletes old files without a reference in any stored document (draft, history,
 * snapshot, pending plan) or published page, and returns their number.
 *
 * If published pages cannot be read, or most are gone, or documents keep changing, it deletes nothing until
 * the next sweep.
 */
export function createSweep(context: SweepContext): () => Promise<number> {
  const { blobs, media, store, drafts, baselines, snapshots, clock, log, days } = context
  const findOld = async () => {
    const before = clock.now().getTime() - days * day
    const old = new Map<string, { readonly key: string; readonly size: number }[]>()
    for await (const { key, size, changed } of blobs.list()) {
      const [found] = key.match(mark) ?? []
      if (found === undefined || changed >= before) continue
      const name = fileName(found)
      old.set(name, [...(old.get(name) ?? []), { key, size }])
    }
    return old
  }

  /** Yields every text that may refer to a file, and `undefined` for an unreadable one. */
  async function* texts(): AsyncGenerator<string | undefined> {
    yield* store.texts()
    const sites = new Map((await drafts.list()).map(({ id }): [string, DraftId] => [id.siteId, id]))
    for (const id of sites.values()) {
      const { content, hasShrunk } = await baselines.read(id, {})
      if (!content) {
        // A site that was never published shows no files.
        if (await snapshots.newest({ siteId: id.siteId })) yield undefined
        continue
      }
      if (hasShrunk) yield undefined
      for (const page of content.pages) yield JSON.stringify(page)
      // What a site only names is not known.
      for (const { raw } of content.unreadable ?? []) yield raw === undefined ? raw : JSON.stringify(raw)
      yield JSON.stringify(content.siteConfig ?? {})
    }
  }

  return async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const unused = await findOld()
      if (unused.size === 0) return 0
      const commits = await store.commits()
      for await (const text of texts()) {
        if (text === undefined) {
          log.warn(
            { files: unused.size },
            'unreferenced files are not deleted, because published pages cannot be read',
          )
          return 0
        }
        for (const [found] of text.matchAll(mark)) unused.delete(fileName(found))
      }
      if ((await store.commits()) !== commits) continue
      const unreferenced = [...unused.values()].flat()
      for (const file of unreferenced) await media.remove(file)
      if (unreferenced.length > 0) log.info({ files: unreferenced.length }, 'deleted unreferenced files')
      return unreferenced.length
    }
    return 0
  }
}

const hour = 60 * 60 * 1000

/** Runs a job at once and then at an interval in milliseconds; logs failed runs. */
export function repeat(job: () => Promise<unknown>, log: Logger, intervalMs = hour) {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const run = (): void => {
    running = running.then(job).then(
      () => undefined,
      (err: unknown) => log.warn({ err }, 'unreferenced files could not be swept'),
    )
  }
  return {
    start() {
      run()
      timer = setInterval(run, intervalMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
