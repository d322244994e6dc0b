import * as v from 'valibot'

const list = v.pipe(v.string(), v.transform((text) => text.split(',').map((entry) => entry.trim().replace(/\/+$/, '')).filter(Boolean)))
const address = v.pipe(v.string(), v.check((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http or https URL'))
const seconds = v.pipe(v.string(), v.transform(Number), v.number('must be a number of seconds'), v.minValue(0, 'must not be negative'))
const forGit = 'Handed on to git.'

/** The variables that decide how and where to a draft is published. */
export const PublishEnvironment = v.object({
  ORCHESTRATOR_CORS_ORIGINS: v.optional(list, ''),
  ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(address, 'http://localhost:4200'),
  PUBLISH_TOKEN: v.pipe(v.optional(v.pipe(v.string(), v.trim())), v.description('It is sent along to the site.')),
  PUBLISHED_CONTENT_PATH: v.pipe(
    v.optional(v.string()),
    v.description('A file with what is published, which drafts are compared with; publishing by git writes it.'),
  ),
  PUBLISH_TARGET: v.pipe(v.optional(v.string()), v.description('The name of the target that every publish goes to.')),
  PUBLISH_MODE: v.pipe(
    v.optional(v.picklist(['deploy_hook', 'git'], 'must be deploy_hook or git')),
    v.description('Where a publish goes that names no site: `deploy_hook` or `git`.'),
    v.metadata({ otherwise: 'the site itself' }),
  ),
  PUBLISH_GIT_BRANCH: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^(?!-)[\w./-]+$/, 'must be the name of a branch')), 'main'),
    v.description('The branch that a publish by git pushes.'),
  ),
  PUBLISH_GIT_STRICT: v.pipe(
    v.optional(v.string()),
    v.description('With `1` a publish by git is refused while other files are changed too.'),
  ),
  VERCEL_DEPLOY_HOOK_URL: v.pipe(v.optional(address), v.description('The deploy hook that a publish calls.')),
  VERCEL_TOKEN: v.pipe(v.optional(v.string()), v.description('Lets the hosting API be asked how a deployment goes.')),
  VERCEL_TEAM_ID: v.pipe(v.optional(v.string()), v.description('The team that the deployments belong to.')),
  VERCEL_BASE_URL: v.pipe(v.optional(address, 'https://api.vercel.com'), v.description('The address of the hosting API.')),
  PUBLISH_GRACE_SECONDS: v.pipe(
    v.optional(seconds, '120'),
    v.description('Seconds after which a deployment that nobody can be asked about counts as done.'),
  ),
  PATH: v.pipe(v.optional(v.string()), v.description(forGit)),
  HOME: v.pipe(v.optional(v.string()), v.description(forGit)),
  SSH_AUTH_SOCK: v.pipe(v.optional(v.string()), v.description(forGit)),
})
export type PublishEnvironment = v.InferOutput<typeof PublishEnvironment>
