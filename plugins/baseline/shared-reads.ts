import type { Clock } from '../../kernel/index.ts'
import type { BaselineSource, ReadOptions } from './baselines.ts'

interface SharedRead {
  readonly startedAt: number
  /** The edition of what is known of the site when it was read. */
  readonly edition: number
  readonly source: Promise<BaselineSource>
}

interface SharingContext {
  readonly clock: Clock
  readonly sharedLookMs: number
}

/**
 * Shares the reads of sites: all that ask for one within `sharedLookMs` get the same, unless something was
 * published to it since, or it could not be read. A publish shares only what its site can refuse a change of,
 * by the entity tag.
 */
export function createSharedReads({ clock, sharedLookMs }: SharingContext) {
  const reads = new Map<string, SharedRead>()
  const forget = (key: string, read: SharedRead): void => {
    if (reads.get(key)?.source === read.source) reads.delete(key)
  }
  return {
    async at(
      key: string,
      edition: number,
      {
        open,
        sharing,
      }: { readonly open: () => Promise<BaselineSource>; readonly sharing: ReadOptions['sharing'] },
    ): Promise<BaselineSource> {
      const startedAt = clock.now().getTime()
      const current = reads.get(key)
      const isNew = current?.edition === edition && startedAt - current.startedAt < sharedLookMs
      if (isNew && sharing !== 'none') {
        const source = await current.source
        if (sharing !== 'tagged' || source.tag !== undefined) return source
      }
      const read = { startedAt, edition, source: open() }
      reads.set(key, read)
      setTimeout(() => forget(key, read), sharedLookMs).unref()
      const end = () => forget(key, read)
      read.source.then(({ version }) => version ?? end(), end)
      return read.source
    },
    /** What was read has itself changed what is known. */
    moved(key: string, from: number, to: number): void {
      const current = reads.get(key)
      if (current?.edition === from) reads.set(key, { ...current, edition: to })
    },
  }
}
