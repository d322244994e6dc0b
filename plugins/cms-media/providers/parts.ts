import * as v from 'valibot'
import type { Outbound } from '../../outbound/port.ts'
import type { CmsVariables } from '../settings.ts'

/** What the built-in providers are made of. */
export interface ProviderParts {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly env: CmsVariables
  /** Of one request. */
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number }
}

/** A text that may be missing. */
export const text = v.pipe(v.nullish(v.string(), ''), v.transform((value) => value ?? ''))

/** No page has more. */
const most = 50

/** A list whose entries of another shape are left out; of a longer one than a page only the beginning is read. */
export const listOf = <const S extends v.GenericSchema>(entry: S) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((all) => all.slice(0, most).map((each) => v.safeParse(entry, each)).flatMap(({ success, output }): readonly v.InferOutput<S>[] => (success ? [output] : []))),
  )
