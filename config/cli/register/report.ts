import { drawTable } from '../../../kernel/draw.ts'
import type { Merged } from '../../../plugins/agents/scaffold/port.ts'
import { defaultSession } from '../../../plugins/scope/port.ts'
import type { openDraft, send } from './requests.ts'
import type { Registration } from './registration.ts'

const secretTexts = {
  reused: 'the one in .env.local',
  given: 'the one of --secret',
  shared: 'the one in the environment',
  new: 'a new one',
  none: 'none; without --no-write one is made',
} as const
/** The source of the draft secret, or `none` if it is missing and the file may not be written. */
export type SecretSource = keyof typeof secretTexts

/** The result, or the expected result of a dry run, whose status is `dry-run`. */
interface RegisterReport extends Awaited<ReturnType<typeof send>>, Pick<Merged, 'added' | 'kept'> {
  readonly registration: Registration
  readonly secret: SecretSource
  readonly file: string
  readonly isNewFile: boolean
  readonly writes: boolean
  readonly draft: Awaited<ReturnType<typeof openDraft>> | undefined
}

/** Formats the outcome for programs, without secrets. */
export function toJsonReport(outcome: RegisterReport) {
  const { registration, status, secret, file, added, kept, writes, warnings, draft } = outcome
  const { siteId, name, port, previewUrl, purpose, session, orchestrator } = registration
  return {
    status,
    siteId,
    name,
    port,
    previewUrl,
    purpose,
    session,
    orchestrator,
    studio: studioOf(registration),
    secret,
    file,
    written: writes && status !== 'dry-run',
    added: writes ? added : [],
    missing: writes ? [] : added,
    kept,
    warnings,
    draft,
    nextSteps: nextSteps(outcome),
  }
}

const heads: Readonly<Record<string, string>> = {
  registered: 'The site is registered.',
  unchanged: 'The site was registered already, and nothing about it has changed.',
  'dry-run': 'Nothing was sent and nothing was written. This is what would happen:',
}

/** Formats the outcome as text, without secrets. */
export function toReport(outcome: RegisterReport): string {
  const { registration, status, secret, warnings } = outcome
  return [
    heads[status] ?? heads['registered'],
    ...(status === 'dry-run' ? [] : ['', `Edit the site in the studio: ${studioOf(registration)}`]),
    '',
    ...drawTable([
      ['  Name', registration.name],
      ['  Id', registration.siteId],
      ['  Preview', registration.previewUrl],
      ['  Orchestrator', registration.orchestrator],
      ['  Draft secret', secretTexts[secret]],
      ['  .env.local', fileLine(outcome)],
    ]),
    ...(warnings.length === 0 ? [] : ['', 'Warnings:', ...warnings.map((each) => `  - ${each}`)]),
    '',
    'Next:',
    ...nextSteps(outcome).map((step, at) => `  ${at + 1}. ${step}`),
  ].join('\n')
}

function fileLine({ status, added, writes, isNewFile }: RegisterReport): string {
  const names = added.join(', ')
  if (added.length === 0) return 'has all variables already'
  if (!writes) return `is not written; it lacks ${names}`
  const isDry = status === 'dry-run'
  if (isNewFile) return `${isDry ? 'would be created' : 'created'} with ${names}`
  return `${isDry ? 'would get' : 'got'} ${names}`
}

function studioOf({ orchestrator, siteId, session }: Registration): string {
  const named = new URLSearchParams({ siteId, ...(session !== defaultSession && { session }) })
  const ofMount = new URL(orchestrator).pathname === '/' ? '' : " (a mount has it with plugins: ['studio'])"
  return `${orchestrator}/studio?${named}${ofMount}`
}

function nextSteps({ registration, status, added, writes, draft }: RegisterReport): readonly string[] {
  if (status === 'dry-run') return ['Run it again without --dry-run.']
  const { orchestrator, previewUrl, port } = registration
  const steps: string[] = []
  if (!writes && added.length > 0) steps.push(`Set ${added.join(', ')} where the site reads its environment.`)
  if (draft === undefined || draft.state === 'down') steps.push(`Start the site on port ${port}.`)
  if (draft?.state === 'locked') steps.push('Restart the site, so that it reads .env.local.')
  if (draft?.state === 'failed')
    steps.push('Add the editor routes and a page with npx content-orchestrator init, and run this again.')
  const isChecked = draft?.state === 'open' && registration.own.home === undefined
  const checked = isChecked ? ' (checked)' : ''
  if (draft && draft.state !== 'failed')
    steps.push(`Open the draft within an hour${checked}: ${draft.address}`)
  return [
    ...steps,
    `Change the draft and publish it: ${orchestrator}/docs has an example of every request.`,
    `Before it goes public, check it with: npx content-orchestrator doctor --site ${new URL(previewUrl).origin}`,
  ]
}
