import type { Shape } from '../../kernel/index.ts'
import type { MediaVariables } from './schemas.ts'

/**
 * The address of a path of this service, made of the configuration alone.
 *
 * A mount that knows none of its addresses gives the path, which is on the origin of the website.
 */
export function createAddresses(env: MediaVariables, { shape, mountPath = '' }: { readonly shape: Shape; readonly mountPath: string | undefined }): (path: `/${string}`) => string {
  const usual = shape === 'library' ? (env.NEXT_PUBLIC_SITE_URL ?? '') : `http://localhost:${env.PORT}`
  const base = env.ORCHESTRATOR_PUBLIC_ORIGIN ?? usual
  const prefix = base.endsWith(mountPath) ? '' : mountPath
  return (path) => `${base}${prefix}${path}`
}
