import type * as v from 'valibot'
import type { DraftId, Scope } from '../scope/port.ts'
import type { NdjsonFile } from './ndjson-file.ts'
import type { ReviewQuery } from './schemas.ts'

/** True without a filter, or for the same text. */
export const matches = (value: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || value === wanted

type SessionFilter = Pick<v.InferOutput<typeof ReviewQuery>, 'session' | 'siteId'>

/**
 * Selects rows by session name or key: `dev`, `demo::dev`. A session without a site matches on every site.
 *
 * With a site, refuses an invalid session with 400 `invalid_request`, like every other route.
 */
export function ofSessions(
  { session: raw = '', siteId }: SessionFilter,
  scope: Scope,
): (row: { readonly session: string }) => boolean {
  const session = raw.trim()
  if (siteId === undefined)
    return ({ session: key }) => session === '' || session === key || session === idOf(key, scope).session
  const wanted = scope.draft({ siteId, session })
  return ({ session: key }) =>
    session === '' ? idOf(key, scope).siteId === wanted.siteId : key === scope.key(wanted)
}

/** Returns the draft of a session key. */
function idOf(key: string, { defaultSiteId }: Scope): DraftId {
  const [first = '', second] = key.split('::')
  return second === undefined ? { siteId: defaultSiteId, session: first } : { siteId: first, session: second }
}

const minRead = 100

/**
 * Keeps the newest values in memory and in an optional file, which is read on first use. With `isSame`, a
 * value replaces an older equivalent.
 */
export function createRecent<T>({
  file,
  most,
  isSame,
}: {
  readonly file: NdjsonFile<T> | undefined
  readonly most: number
  readonly isSame?: (a: T, b: T) => boolean
}) {
  let values: T[] = []
  let loading: Promise<void> | undefined

  function put(value: T): void {
    const at = isSame ? values.findIndex((other) => isSame(other, value)) : -1
    if (at !== -1) values.splice(at, 1)
    else if (values.length === most) values.shift()
    values.push(value)
  }

  /** Values added in the meantime are newer than the values of the file. */
  async function load(): Promise<void> {
    const older = (await file?.last(Math.max(most, minRead))) ?? []
    const newer = values
    values = []
    for (const value of [...older, ...newer]) put(value)
  }

  return {
    add(value: T): void {
      void (loading ??= load())
      put(value)
      file?.append(value)
    },
    /** Oldest first. */
    async list(): Promise<readonly T[]> {
      await (loading ??= load())
      return values
    },
  }
}
