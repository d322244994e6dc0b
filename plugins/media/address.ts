import * as v from 'valibot'
import { type Shape, withoutTrailingSlash } from '../../kernel/index.ts'

const address = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL'),
  v.transform(withoutTrailingSlash),
)

/** The variables for the public address of this service. */
export const AddressVariables = v.object({
  ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(address),
  NEXT_PUBLIC_SITE_URL: v.optional(address),
  PORT: v.optional(v.string(), '4200'),
})
export type AddressVariables = v.InferOutput<typeof AddressVariables>

/**
 * Returns the address of this service for browsers, without a trailing slash. Uses the configuration alone.
 *
 * For a mount without a configured address it is a path on the origin of the website.
 */
export function publicBase(
  env: AddressVariables,
  { shape, mountPath = '' }: { readonly shape: Shape; readonly mountPath: string | undefined },
): string {
  const usual = shape === 'library' ? (env.NEXT_PUBLIC_SITE_URL ?? '') : `http://localhost:${env.PORT}`
  const base = env.ORCHESTRATOR_PUBLIC_ORIGIN ?? usual
  return base.endsWith(mountPath) ? base : base + mountPath
}
