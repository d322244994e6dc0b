import * as v from 'valibot'

const list = v.pipe(v.string(), v.transform((text) => text.split(',').map((entry) => entry.trim().replace(/\/+$/, '')).filter(Boolean)))
const address = v.pipe(v.string(), v.check((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL'))
const seconds = v.pipe(v.string(), v.transform(Number), v.number('must be a number of seconds'), v.minValue(0, 'must not be negative'))

/** The variables that decide how and where to a draft is published. */
export const PublishEnvironment = v.object({
  ORCHESTRATOR_CORS_ORIGINS: v.optional(list, ''),
  ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(address, 'http://localhost:4200'),
  /** The publish secret, sent along to the site. */
  PUBLISH_TOKEN: v.optional(v.pipe(v.string(), v.trim())),
  /** A file with what is published; the git target writes it. */
  PUBLISHED_CONTENT_PATH: v.optional(v.string()),
  /** Forces a target by name. */
  PUBLISH_TARGET: v.optional(v.string()),
  PUBLISH_MODE: v.optional(v.picklist(['deploy_hook', 'git'], 'must be deploy_hook or git')),
  PUBLISH_GIT_BRANCH: v.optional(v.pipe(v.string(), v.regex(/^(?!-)[\w./-]+$/, 'must be the name of a branch')), 'main'),
  PUBLISH_GIT_STRICT: v.optional(v.string()),
  VERCEL_DEPLOY_HOOK_URL: v.optional(address),
  VERCEL_TOKEN: v.optional(v.string()),
  VERCEL_TEAM_ID: v.optional(v.string()),
  VERCEL_BASE_URL: v.optional(address, 'https://api.vercel.com'),
  PUBLISH_GRACE_SECONDS: v.optional(seconds, '120'),
  /** What git may see of the environment. */
  PATH: v.optional(v.string()),
  HOME: v.optional(v.string()),
  SSH_AUTH_SOCK: v.optional(v.string()),
})
export type PublishEnvironment = v.InferOutput<typeof PublishEnvironment>
