import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { Environment } from '../../config/env.ts'
import { drawTable } from '../../kernel/draw.ts'
import { Tier } from '../../plugins/chat/testing.ts'
import { EvalError, ownFolder } from './data-set.ts'

const providers = ['rules', 'anthropic'] as const

const options = {
  provider: { type: 'string' },
  'model-key': { type: 'string' },
  tags: { type: 'string' },
  cases: { type: 'string' },
  'min-score': { type: 'string' },
  baseline: { type: 'string' },
  out: { type: 'string' },
  concurrency: { type: 'string' },
  data: { type: 'string' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export const help = [
  'Usage: npm run eval -- [flags]',
  '',
  'Scores the cases of test/eval/cases against a planner and prints a table; rules scores the planner without a model.',
  '',
  ...drawTable([
    [
      '  --provider NAME',
      'rules or anthropic; without it anthropic where ANTHROPIC_API_KEY is set, which costs money',
    ],
    ['  --model-key TIER', `the tier of the model: ${Tier.options.join(', ')} (balanced)`],
    ['  --tags LIST', "cases with one of these tags, such as core,edge; '!model' leaves a tag out"],
    ['  --cases GLOB', "cases whose id fits, such as 'text-*'"],
    ['  --min-score NUMBER', 'exit code 1 when the mean score is below it (0)'],
    [
      '  --baseline PATH',
      "exit code 1 when a case lost more than 0.15 since this report; 'latest' takes the newest in the folder of --out",
    ],
    ['  --out DIR', 'where the report goes (.orchestrator/eval)'],
    ['  --concurrency NUMBER', 'cases that run at the same time (5)'],
    ['  --data DIR', 'another fixture.json and cases/*.json (test/eval)'],
    ['  --quiet', 'prints the table and the sums only'],
  ]),
].join('\n')

const number = (wanted: string, ...range: [min: number, max: number]) => {
  const message = `expected ${wanted}`
  return v.pipe(
    v.string(),
    v.nonEmpty(message),
    v.transform(Number),
    v.number(message),
    v.minValue(range[0], message),
    v.maxValue(range[1], message),
  )
}

const Flags = v.object({
  provider: v.optional(v.picklist(providers, `expected ${providers.join(' or ')}`)),
  'model-key': v.optional(v.picklist(Tier.options, `expected one of ${Tier.options.join(', ')}`)),
  tags: v.optional(v.string()),
  cases: v.optional(v.string()),
  'min-score': v.optional(number('a number from 0 to 1', 0, 1), '0'),
  baseline: v.optional(v.string()),
  out: v.optional(v.string(), '.orchestrator/eval'),
  concurrency: v.optional(
    v.pipe(number('a whole number from 1 to 50', 1, 50), v.integer('expected a whole number from 1 to 50')),
    '5',
  ),
  data: v.optional(v.string(), ownFolder),
  quiet: v.optional(v.boolean(), false),
  help: v.optional(v.boolean(), false),
})
export type Flags = v.InferOutput<typeof Flags>

/** Parses a command line. Throws an EvalError that says what was expected. */
export function readFlags(args: readonly string[]): Flags {
  const { success, output, issues = [] } = v.safeParse(Flags, parsed(args))
  if (!success) throw new EvalError(...issues.map((issue) => `--${v.getDotPath(issue)}: ${issue.message}`))
  return { ...output, out: resolve(output.out), data: resolve(output.data) }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new EvalError(
      `${error instanceof Error ? error.message : String(error)}. npm run eval -- --help lists the flags.`,
    )
  }
}

/** The planner to score, and the environment that selects it in the service. */
export interface Planning {
  readonly provider: (typeof providers)[number]
  /** `none` without a model. */
  readonly tier: Tier | 'none'
  readonly env: Environment
}

/** Selects the planner. The rules get no variables, a model only its own and those of chat. Throws an EvalError if a key is missing. */
export function planningOf(
  { provider, 'model-key': tier }: Pick<Flags, 'provider' | 'model-key'>,
  env: Environment,
): Planning {
  const hasKey = env['ANTHROPIC_API_KEY'] !== undefined
  const chosen = provider ?? (hasKey ? 'anthropic' : 'rules')
  if (chosen === 'rules') {
    if (tier !== undefined)
      throw new EvalError(
        '--model-key is for models: the rules have no tiers. Set ANTHROPIC_API_KEY, or leave it out.',
      )
    return { provider: chosen, tier: 'none', env: {} }
  }
  if (!hasKey)
    throw new EvalError(
      '--provider anthropic needs ANTHROPIC_API_KEY in the environment. Without one, --provider rules costs nothing.',
    )
  const own = Object.entries(env).filter(([name]) => /^(?:ANTHROPIC|CHAT)_/.test(name))
  return { provider: chosen, tier: tier ?? 'balanced', env: Object.fromEntries(own) }
}
