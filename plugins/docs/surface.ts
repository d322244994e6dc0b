import type { MountedRoute } from '../../kernel/index.ts'

/** Answered for the parts of this product that know each other; outside clients should not depend on them. */
const internal = [
  '/telemetry',
  '/gdrive',
  '/jira',
  '/audio',
  '/restore',
  '/agent',
  '/published',
  '/status',
  '/generated-images',
  '/contentful',
  '/favicon.ico',
] as const

/** True for routes that outside clients may depend on, and that this service answers. */
export function isPublished({ spec, leftOut }: MountedRoute): boolean {
  if (leftOut !== undefined || spec.internal) return false
  return !internal.some((prefix) => spec.path === prefix || spec.path.startsWith(`${prefix}/`))
}
