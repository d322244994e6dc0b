import * as v from 'valibot'
import { countVariable, packageVersion } from '../../../kernel/index.ts'
import { defaultModels } from '../../models/port.ts'

const word = v.pipe(v.string(), v.trim(), v.nonEmpty())
const dollars = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => Number(text) >= 0.01 && Number(text) <= 1_000, 'must be a number from 0.01 to 1000'),
  v.transform(Number),
)

export const SitesAgentOptions = v.object({
  /** The version of this package for the package.json of a site. */
  packageSpec: v.optional(v.string(), `^${packageVersion}`),
  /** The host from which repositories are cloned. */
  gitHost: v.optional(v.pipe(v.string(), v.url()), 'https://github.com'),
  /** The registry from which packages are installed, without a slash at the end. */
  registry: v.optional(v.pipe(v.string(), v.url(), v.regex(/[^/]$/)), 'https://registry.npmjs.org'),
})

export const SitesAgentVariables = v.object({
  SITES_WORKSPACE_DIR: v.pipe(
    v.optional(word),
    v.description('The folder for the sites of the onboarding agent.'),
    v.metadata({ otherwise: '`sites` in the data folder' }),
  ),
  SITES_AGENT_MAX_CONCURRENT: v.pipe(
    v.optional(countVariable(1, 99), '2'),
    v.description('The maximum number of concurrent runs of the onboarding agent.'),
  ),
  SITES_AGENT_MAX_BUDGET_USD: v.pipe(
    v.optional(dollars, '2'),
    v.description('The maximum cost of one run of the onboarding agent, in dollars.'),
  ),
  SITES_AGENT_MODEL_FAST: v.pipe(
    v.optional(word, defaultModels.onboarding.fast),
    v.description('The model that classifies requests to the onboarding agent.'),
  ),
  SITES_AGENT_MODEL_BALANCED: v.pipe(
    v.optional(word, defaultModels.onboarding.balanced),
    v.description('The model of the onboarding agent.'),
  ),
  SITES_AGENT_MODEL_POWERFUL: v.pipe(
    v.optional(word),
    v.description('The model of the onboarding agent for migrations.'),
    v.metadata({ otherwise: '`SITES_AGENT_MODEL_BALANCED`' }),
  ),
  AGENT_SHELL: v.pipe(
    v.optional(v.string()),
    v.description('`full` lets the onboarding agent run shell commands instead of listed programs only.'),
  ),
  AGENT_CLI_COMMAND: v.pipe(
    v.optional(v.pipe(word, v.regex(/^[\w.-]+$/, 'must be the name of a program in PATH')), 'claude'),
    v.description('The program that runs with `useCliAgent`.'),
  ),
  ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
  TELEMETRY_EXCERPTS: v.optional(v.string(), 'on'),
  DRAFT_MODE_SECRET: v.optional(v.string()),
  NEXT_PUBLIC_EDITOR_ORIGIN: v.optional(v.string()),
  PATH: v.pipe(
    v.optional(v.string(), '/usr/local/bin:/usr/bin:/bin'),
    v.description('The search path for programs of the onboarding agent.'),
  ),
  NODE_EXTRA_CA_CERTS: v.pipe(
    v.optional(word),
    v.description('A file with additional certificates that programs of the onboarding agent trust.'),
  ),
  LANG: v.pipe(
    v.optional(v.string(), 'C.UTF-8'),
    v.description('The locale of programs of the onboarding agent.'),
  ),
})
export type SitesAgentVariables = v.InferOutput<typeof SitesAgentVariables>
