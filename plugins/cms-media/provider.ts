import * as v from 'valibot'
import { toIssues, type Issue, type Schema } from '../../kernel/index.ts'
import type { MediaPage, MediaQuery } from '../content/adapter.ts'
import type { Outbound } from '../outbound/port.ts'
import type { CmsVariables } from './schemas.ts'

/** The images of one CMS. */
export interface MediaLibrary {
  /** The name of its provider. */
  readonly provider: string
  /** The origin that is called. Addresses of images may begin with it; any other has to be https. */
  readonly origin: string
  /** Gives a page of images. A refusal with a 4xx status is answered; any other failure is an empty page, with the reason of a refusal. */
  list(query: MediaQuery): Promise<MediaPage>
}

/** Stored settings that were read: a library, or what is wrong with them. */
export type Opened = { readonly library: MediaLibrary } | { readonly problems: readonly Issue[] }

/** A kind of CMS that images are shown from. */
export interface CmsProvider {
  /** As the key `provider` of stored settings names it, such as `strapi`. */
  readonly name: string
  /** What is shown for a site that has no settings of its own, such as the CMS that variables of the plugin name. */
  readonly usual?: MediaLibrary | undefined
  open(settings: unknown): Opened
}

/** Declares a provider with the types of its own settings; keys beside theirs are dropped. */
export function defineCmsProvider<const S extends Schema>({ name, usual, settings, open }: {
  readonly name: string
  /** As `open` takes them. */
  readonly usual?: v.InferOutput<S> | undefined
  readonly settings: S
  readonly open: (settings: v.InferOutput<S>) => Omit<MediaLibrary, 'provider'>
}): CmsProvider {
  const opened = (given: v.InferOutput<S>): MediaLibrary => ({ ...open(given), provider: name })
  return {
    name,
    usual: usual === undefined ? undefined : opened(usual),
    open(given) {
      const read = v.safeParse(settings, given)
      return read.success ? { library: opened(read.output) } : { problems: toIssues(read.issues) }
    },
  }
}

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
