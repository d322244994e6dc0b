import type { Shape } from '../../kernel/index.ts'
import type { AddressVariables } from './schemas.ts'

/**
 * The address of this service as browsers have it, without a slash at its end, made of the configuration alone.
 *
 * A mount that knows none of its addresses gives the path, which is on the origin of the website.
 */
export function publicBase(env: AddressVariables, { shape, mountPath = '' }: { readonly shape: Shape; readonly mountPath: string | undefined }): string {
  const usual = shape === 'library' ? (env.NEXT_PUBLIC_SITE_URL ?? '') : `http://localhost:${env.PORT}`
  const base = env.ORCHESTRATOR_PUBLIC_ORIGIN ?? usual
  return base.endsWith(mountPath) ? base : base + mountPath
}
