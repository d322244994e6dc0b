import { drawTable } from '../../../kernel/draw.ts'
import { toShownText } from '../shared/http.ts'
import { toShown } from '../../secrets.ts'
import type { Kept, Merged } from '../../../plugins/sites-agent/install/env-file.ts'
import type { Tried } from './open-draft.ts'
import type { SecretSource } from './secret.ts'
import type { Wishes } from './wishes.ts'

/** What was done, or in a dry run would be. */
export interface Outcome {
  readonly wishes: Wishes
  /** What the orchestrator said; `dry-run` where it was not asked. */
  readonly status: string
  readonly secret: SecretSource
  readonly file: string
  readonly isNewFile: boolean
  readonly merged: Merged
  /** Whether the file was or would be written. */
  readonly writes: boolean
  readonly warnings: readonly string[]
  /** `undefined` where nothing was tried. */
  readonly draft: Tried | undefined
}

const secretTexts: Readonly<Record<SecretSource, string>> = {
  reused: 'the one in .env.local',
  given: 'the one of --secret',
  new: 'a new one',
  none: 'none; without --no-write one is made',
}

/** The outcome as JSON; no secret is in it. */
export function toJsonReport(outcome: Outcome): string {
  const { wishes, status, secret, file, merged, writes, draft } = outcome
  const { siteId, name, port, previewUrl, purpose, session, orchestrator } = wishes
  return JSON.stringify(
    {
      status,
      siteId,
      name,
      port,
      previewUrl,
      purpose,
      session,
      orchestrator,
      secret,
      file,
      written: writes && status !== 'dry-run',
      added: writes ? merged.added : [],
      missing: writes ? [] : merged.added,
      kept: merged.kept.map(shownKept),
      warnings: warningsOf(outcome),
      draft,
      nextSteps: nextSteps(outcome),
    },
    null,
    2,
  )
}

/** The outcome for people; no secret is in it. */
export function toReport(outcome: Outcome): string {
  const { wishes, status, secret } = outcome
  const warnings = warningsOf(outcome)
  return [
    heads[status] ?? heads['registered'],
    '',
    ...drawTable([
      ['  Name', wishes.name],
      ['  Id', wishes.siteId],
      ['  Preview', wishes.previewUrl],
      ['  Orchestrator', wishes.orchestrator],
      ['  Draft secret', secretTexts[secret]],
      ['  .env.local', fileLine(outcome)],
    ]),
    ...(warnings.length === 0 ? [] : ['', 'Warnings:', ...warnings.map((each) => `  - ${each}`)]),
    '',
    'Next:',
    ...nextSteps(outcome).map((step, at) => `  ${at + 1}. ${step}`),
  ].join('\n')
}

const heads: Readonly<Record<string, string>> = {
  registered: 'The site is registered.',
  unchanged: 'The site was registered already, and nothing about it has changed.',
  'dry-run': 'Nothing was sent and nothing was written. This is what would be:',
}

function fileLine({ status, merged: { added }, writes, isNewFile }: Outcome): string {
  const names = added.join(', ')
  if (added.length === 0) return 'has everything already'
  if (!writes) return `is not written; it lacks ${names}`
  if (status === 'dry-run') return isNewFile ? `would be made with ${names}` : `would get ${names}`
  return isNewFile ? `made with ${names}` : `got ${names}`
}

const warningsOf = ({ merged, warnings }: Outcome): readonly string[] => [
  ...warnings,
  ...merged.kept
    .map(shownKept)
    .map(
      ({ name, value, wanted }) =>
        `${name} stays ${value} in .env.local, instead of ${wanted}; change it by hand where that is wrong.`,
    ),
]

const shownKept = ({ name, value, wanted }: Kept): Kept => ({
  name,
  value: toShownText(toShown(name, value)),
  wanted: toShownText(toShown(name, wanted)),
})

function nextSteps({ wishes, status, merged, writes, draft }: Outcome): readonly string[] {
  if (status === 'dry-run') return ['Run it again without --dry-run.']
  const { added } = merged
  return [
    ...(added.length > 0 && !writes ? [`Set ${added.join(', ')} where the site reads its environment.`] : []),
    ...(draft === undefined ? [`Start the site on port ${wishes.port}.`] : stepsTo(draft, wishes)),
    `Change the draft and publish it: ${wishes.orchestrator}/docs has an example of every request.`,
    `Before others can reach it, check it with: npx content-orchestrator doctor --site ${originOf(wishes)}`,
  ]
}

function stepsTo(draft: Tried, { port }: Wishes): readonly string[] {
  const open = (how: string): string => `Open the draft${how}, within an hour: ${draft.address}`
  switch (draft.state) {
    case 'open':
      return [open(', as was tried')]
    case 'down':
      return [`Start the site on port ${port}.`, open('')]
    case 'locked':
      return ['Start the site again, so that it reads .env.local.', open('')]
    case 'failed':
      return [`The site answers ${draft.status} to the address of its draft: put the editor routes and a page into it with npx content-orchestrator init.`, open('')]
  }
}

const originOf = ({ previewUrl }: Wishes): string => new URL(previewUrl).origin
