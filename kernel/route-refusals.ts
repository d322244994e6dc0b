import type { RefusalKind } from './errors.ts'
import { refusals } from './refusals.ts'
import type { RouteSpec } from './route.ts'

/** The refusals that do not depend on the route, because it is not known, or not mounted. */
export const earlyRefusals: readonly RefusalKind[] = [
  refusals.notFound,
  refusals.timeout,
  refusals.urlTooLong,
  refusals.tooManyRequests,
  refusals.headersTooLarge,
]

const onEveryRoute: readonly RefusalKind[] = [
  refusals.badRequest,
  refusals.pathNotPlain,
  refusals.invalidJson,
  refusals.invalidRequest,
  refusals.tooManyParts,
  refusals.hostNotAllowed,
  refusals.originNotAllowed,
  refusals.internal,
  refusals.bodyAlreadyRead,
  refusals.closing,
  refusals.tooManyBodies,
  refusals.timedOut,
]

/** Returns the refusals of the kernel on a route; those of its gate have no kinds. */
export function kernelRefusals({ path, body, upload, raw }: RouteSpec): readonly RefusalKind[] {
  return [
    ...onEveryRoute,
    ...(path.includes(':') ? [refusals.notFound] : []),
    ...(body || upload || raw ? [refusals.bodyTooLarge, refusals.unsupportedMediaType] : []),
  ]
}
