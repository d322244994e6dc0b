import type { Clock } from '../../../kernel/index.ts'
import type { BaselineFinder, BaselineSource } from '../baseline.ts'

/** A read of a site that others may share. */
interface Look {
  readonly startedAt: number
  /** The edition of what is known of the site when it was read. */
  readonly edition: number
  readonly source: Promise<BaselineSource>
}

type Sharing = NonNullable<Parameters<BaselineFinder['find']>[1]>['sharing']

/**
 * Shares the reads of sites: all that ask for one within `sharedLookMs` get the same, unless something was published to
 * it since, or it could not be read. A publish shares only what its site can refuse a change of, by the entity tag.
 */
export function createLooks({
  clock,
  sharedLookMs,
}: {
  readonly clock: Clock
  readonly sharedLookMs: number
}) {
  const looks = new Map<string, Look>()
  const forget = (key: string, look: Look): void => {
    if (looks.get(key)?.source === look.source) looks.delete(key)
  }
  return {
    async at(
      key: string,
      edition: number,
      { open, sharing }: { readonly open: () => Promise<BaselineSource>; readonly sharing: Sharing },
    ): Promise<BaselineSource> {
      const startedAt = clock.now().getTime()
      const known = looks.get(key)
      const isNew = known?.edition === edition && startedAt - known.startedAt < sharedLookMs
      if (isNew && sharing !== 'none') {
        const source = await known.source
        if (sharing !== 'tagged' || source.tag !== undefined) return source
      }
      const look = { startedAt, edition, source: open() }
      looks.set(key, look)
      setTimeout(() => forget(key, look), sharedLookMs).unref()
      const end = () => forget(key, look)
      look.source.then(({ version }) => version ?? end(), end)
      return look.source
    },
    /** What was read has itself changed what is known. */
    moved(key: string, from: number, to: number): void {
      const known = looks.get(key)
      if (known?.edition === from) looks.set(key, { ...known, edition: to })
    },
  }
}
