import * as v from 'valibot'
import { validate, type Issue, type Schema } from '../../../kernel/index.ts'
import type { MediaPage, MediaQuery } from '../../content/adapter.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { CmsVariables } from './schemas.ts'

/** The images of one CMS. */
export interface MediaLibrary {
  /** The name of its provider. */
  readonly provider: string
  /** The origin of requests. Image addresses on it may use http; all others require https. */
  readonly origin: string
  /** The origins of its images, if `origin` serves none. */
  readonly imageOrigins?: readonly string[]
  /** Lists a page of images. Clients see a 4xx refusal; other failures give an empty page and a reason. */
  list(query: MediaQuery): Promise<MediaPage>
}

/** A library, or the problems of its settings. */
export type Opened = { readonly library: MediaLibrary } | { readonly problems: readonly Issue[] }

/** A kind of CMS that provides images. */
export interface CmsProvider {
  /** The value of `provider` in settings, such as `strapi`. */
  readonly name: string
  /** The library of sites without settings, such as one configured by environment variables. */
  readonly usual?: MediaLibrary | undefined
  open(settings: unknown): Opened
}

/** Declares a provider with typed settings; unknown keys are dropped. */
export function defineCmsProvider<const S extends Schema>({
  name,
  usual,
  settings,
  open,
}: {
  readonly name: string
  readonly usual?: v.InferOutput<S> | undefined
  readonly settings: S
  readonly open: (settings: v.InferOutput<S>) => Omit<MediaLibrary, 'provider'>
}): CmsProvider {
  const opened = (given: v.InferOutput<S>): MediaLibrary => ({ ...open(given), provider: name })
  return {
    name,
    usual: usual === undefined ? undefined : opened(usual),
    open(given) {
      const read = validate(settings, given)
      return read.success ? { library: opened(read.output) } : { problems: read.issues }
    },
  }
}

/** The dependencies of the built-in providers. */
export interface ProviderParts {
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly env: CmsVariables
  /** The limits of one request. */
  readonly limits: { readonly timeoutMs: number; readonly maxBytes: number }
}

export const text = v.pipe(
  v.nullish(v.string(), ''),
  v.transform((value) => value ?? ''),
)
