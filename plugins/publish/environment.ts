import * as v from 'valibot'
import { explained } from '../content/plain-object.ts'
import { listVariable, type Shape, withoutTrailingSlash } from '../../kernel/index.ts'

const isAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)
const address = v.pipe(v.string(), v.trim(), v.check(isAddress, 'must be an http or https URL'))
/** Paths are appended to it. */
const base = v.pipe(address, v.transform(withoutTrailingSlash))
/** The usual grace seconds of a deployment, and of an answer that is behind. */
const [usualOfDeployment, usualOfAnswer] = [120, 600]
const seconds = v.pipe(
  v.string(),
  v.transform(Number),
  v.number('must be a number of seconds'),
  v.minValue(0, 'must not be negative'),
  v.transform((count) => count || undefined),
)
const branch = v.pipe(v.string(), v.trim(), v.regex(/^(?!-)[\w./-]+$/, 'must be the name of a branch'))

const text = (effect: string) => explained(v.optional(v.string()), effect)
const forGit = 'Handed on to git.'

export const PublishEnvironment = v.object({
  ORCHESTRATOR_CORS_ORIGINS: v.optional(listVariable, ''),
  ORCHESTRATOR_PUBLIC_ORIGIN: v.optional(address),
  NEXT_PUBLIC_SITE_URL: explained(
    v.optional(address),
    'A mount without `ORCHESTRATOR_PUBLIC_ORIGIN` takes it for its own.',
  ),
  PUBLISH_TOKEN: explained(
    v.optional(v.pipe(v.string(), v.trim())),
    'It is sent along to a site whose origin is configured.',
  ),
  PUBLISHED_CONTENT_PATH: text(
    'A file with what is published, which drafts are compared with; publishing by git writes it.',
  ),
  PUBLISH_TARGET: text('The name of the target that every publish goes to.'),
  PUBLISH_MODE: v.pipe(
    v.optional(v.picklist(['deploy_hook', 'git'], 'must be deploy_hook or git')),
    v.description('Where a publish goes that names no site: `deploy_hook` or `git`.'),
    v.metadata({ otherwise: 'the site itself' }),
  ),
  PUBLISH_GIT_BRANCH: explained(
    v.optional(branch, 'main'),
    'The branch of the remote that a publish by git goes to, whatever is checked out.',
  ),
  PUBLISH_GIT_STRICT: explained(
    v.optional(v.picklist(['0', '1'], 'must be 1 or 0'), '0'),
    '`1` refuses to publish by git while other files of the work tree are changed.',
  ),
  VERCEL_DEPLOY_HOOK_URL: explained(v.optional(address), 'The deploy hook that a publish calls.'),
  VERCEL_TOKEN: text('Lets the hosting API be asked how a deployment goes.'),
  VERCEL_TEAM_ID: text('The team that the deployments belong to.'),
  VERCEL_BASE_URL: explained(v.optional(base, 'https://api.vercel.com'), 'The address of the hosting API.'),
  PUBLISH_GRACE_SECONDS: v.pipe(
    v.optional(seconds),
    v.description(
      'Seconds after a publish for which a deployment whose state cannot be asked for counts as under way, and a site may show again what was replaced; 0 is as if unset.',
    ),
    v.metadata({
      otherwise: `${usualOfDeployment} for a deployment, ${usualOfAnswer} for what a site shows`,
    }),
  ),
  PATH: explained(v.optional(v.string(), ''), forGit),
  HOME: explained(v.optional(v.string(), ''), forGit),
  SSH_AUTH_SOCK: text(forGit),
})
export type PublishEnvironment = v.InferOutput<typeof PublishEnvironment>

/** Returns for how long a deployment of unknown state is under way, and an answer behind, in ms. */
export const graceOf = ({
  PUBLISH_GRACE_SECONDS: seconds,
}: Pick<PublishEnvironment, 'PUBLISH_GRACE_SECONDS'>) => ({
  deploymentMs: (seconds ?? usualOfDeployment) * 1000,
  answerMs: (seconds ?? usualOfAnswer) * 1000,
})

/** Returns the addresses under which browsers find the files of this service; a mount may have none. */
export function addressesOf(env: PublishEnvironment, shape: Shape): readonly string[] {
  const usual = shape === 'library' ? env.NEXT_PUBLIC_SITE_URL : 'http://localhost:4200'
  const address = env.ORCHESTRATOR_PUBLIC_ORIGIN ?? usual
  return address === undefined ? [] : [address]
}
