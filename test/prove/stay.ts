import { setTimeout as pause } from 'node:timers/promises'
import type { ProvenDraft } from './editors.ts'
import { follow, type Changed, type Follower } from './follow.ts'

const afterLossMs = 50
const patienceMs = 30_000

/** A client that follows a draft, and connects to another process whenever its stream ends. */
export interface Stayer {
  /** The number of connections so far. */
  readonly connections: number
  /** Waits for a version, and throws unless every change up to it was seen once and in order. */
  check(expected: ReadonlyMap<number, Changed>): Promise<void>
  leave(): void
}

/** Follows a draft from its present version on; `portOf` is asked for each connection. */
export function stay(portOf: () => number, draft: ProvenDraft): Stayer {
  const past: Changed[] = []
  let current: Follower | undefined
  let connections = 0
  const leaving = new AbortController()
  let checked = draft.settled
  let checkedCount = 0
  const seen = (): readonly Changed[] => [...past, ...(current?.changes ?? [])]
  const newest = (): number => seen().at(-1)?.previewVersion ?? checked

  async function connect(): Promise<void> {
    while (!leaving.signal.aborted) {
      current = follow(portOf(), draft, newest())
      await current.ended.catch(() => undefined)
      past.push(...current.changes)
      current = undefined
      connections++
      await pause(afterLossMs)
    }
  }
  void connect()

  return {
    get connections() {
      return connections
    },
    async check(expected) {
      const upTo = Math.max(checked, ...expected.keys())
      const began = performance.now()
      while (newest() < upTo) {
        if (performance.now() - began > patienceMs)
          throw new Error(`version ${upTo} is not in an event stream`)
        await pause(10)
      }
      let version = checked
      const news = seen().slice(checkedCount)
      checkedCount += news.length
      for (const change of news) {
        if (change.previewVersion <= version)
          throw new Error(`version ${change.previewVersion} came after ${version} in an event stream`)
        const has = touchedBy(change)
        // A slow reader gets several changes as one event with all of their pages.
        for (version++; version <= change.previewVersion; version++) {
          const wanted = expected.get(version)
          if (!wanted || ![...touchedBy(wanted)].every((slug) => has.has(slug)))
            throw new Error(`version ${version} is missing in an event stream`)
        }
        version = change.previewVersion
      }
      checked = version
    },
    leave() {
      leaving.abort()
      current?.close()
    },
  }
}

const touchedBy = ({ slugs, removedSlugs }: Changed): ReadonlySet<string> =>
  new Set([...slugs, ...removedSlugs])
