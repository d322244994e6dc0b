import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { safeEqual, systemClock } from '../../../kernel/index.ts'
import {
  addToEnvFile,
  notShown,
  planEnvFile,
  readEnvFile,
  variablesIn,
  type KeptVariable,
} from '../../../plugins/agents/scaffold/port.ts'
import { messageOf } from '../../explain.ts'
import { toShown } from '../../secrets.ts'
import { isLocal } from '../../values.ts'
import { CommandError, defineCommand, jsonFlag, report } from '../shared/command.ts'
import { toShownText } from '../shared/http.ts'
import { isSeenByGit, readRegistration, registrationFlags, type Registration } from './registration.ts'
import { toJsonReport, toReport, type SecretSource } from './report.ts'
import { mayCall, openDraft, send } from './requests.ts'

/** The maximum milliseconds for a site to notice a change of .env.local. */
const longestReloadMs = 3_000

export const register = defineCommand({
  name: 'register',
  ignored: 'register',
  summary:
    'Registers the website in this folder with an orchestrator, completes its .env.local, and opens its draft.',
  flags: {
    ...registrationFlags,
    'dry-run': { help: 'Sends nothing and writes nothing; shows what it would do.' },
    'no-write': { help: 'Registers, and writes nothing.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const registration = await readRegistration(given, io)
    const file = join(registration.folder, '.env.local')
    const isDry = given.has('dry-run')
    const writes = !given.has('no-write')

    const text = await readEnvFile(file)
    const inFile = variablesIn(text).get('DRAFT_MODE_SECRET')
    const [source, secret] = chooseSecret(registration, inFile, writes)
    const wanted = variablesOf(registration, secret)
    const plan = await planEnvFile(file, wanted)
    const sent = isDry ? { status: 'dry-run', warnings: [] } : await send(registration, secret)

    const open = async (reloadMs: number) =>
      isDry || secret === undefined
        ? undefined
        : openDraft(registration, { secret, now: systemClock.now(), reloadMs })
    const before = await open(0)
    const merged = writes && !isDry ? await write(file, wanted) : plan
    // A running site may reload the file, and may restart for that.
    const isReloading = writes && merged.added.includes('DRAFT_MODE_SECRET') && before?.state !== 'down'
    const draft = isReloading ? await open(longestReloadMs) : before

    const warnings = [...sent.warnings, ...notShown(registration.own).map((each) => `${each}.`)]
    const { previewUrl } = registration
    // Outside production a registered origin is allowed anyway, and a local site is rarely in production.
    const isChecked = !isDry && !isLocal(previewUrl)
    if (isChecked && !(await mayCall(registration))) warnings.push(refused(previewUrl))
    if (writes && isSeenByGit(file, io.environment())) warnings.push(exposed)
    // The usual editor may differ from the one in the file.
    const relevant = merged.kept.filter(
      ({ name }) => name !== editorVariable(registration) || given.has('editor-origin'),
    )
    const kept = relevant.map(toShownVariable)
    warnings.push(...kept.map(differs))
    const { status } = sent
    const done = { status, file, isNewFile: text === '', added: merged.added, kept, writes, warnings, draft }
    const outcome = { registration, secret: source, ...done }
    report(given, io, toJsonReport(outcome), () => toReport(outcome))
    if (draft?.state === 'failed') throw new CommandError(withoutDraft(previewUrl, draft.status))
  },
})

const toShownVariable = ({ name, value, wanted }: KeptVariable): KeptVariable => ({
  name,
  value: toShownText(toShown(name, value)),
  wanted: toShownText(toShown(name, wanted)),
})

const differs = ({ name, value, wanted }: KeptVariable): string =>
  `${name} is still ${value} in .env.local, instead of ${wanted}; edit the file if that is wrong.`
const exposed = 'Git does not ignore .env.local, which holds a secret; add it to .gitignore.'
const withoutDraft = (address: string, status: number | undefined): string =>
  `The site is registered, but ${address} answers ${status} to the link to its draft; ` +
  'add the editor routes and a page with npx content-orchestrator init.'
const refused = (origin: string): string =>
  `The orchestrator refuses pages of ${origin}, so no draft page follows changes and nothing is published ` +
  'there; add it to ORCHESTRATOR_CORS_ORIGINS of the orchestrator.'

type Chosen = readonly [source: SecretSource, secret: string | undefined]

/**
 * Chooses the draft secret: from the file, --secret, the environment, or a new one if the file is written.
 */
function chooseSecret(
  { secret: given, sharedSecret }: Registration,
  inFile: string | undefined,
  writes: boolean,
): Chosen {
  if (inFile?.trim()) {
    if (given === undefined || safeEqual(given, inFile)) return ['reused', inFile]
    throw new CommandError(
      '--secret differs from DRAFT_MODE_SECRET in .env.local; leave the flag out, or change the file first',
    )
  }
  if (given !== undefined) return ['given', given]
  if (sharedSecret) return ['shared', sharedSecret]
  return writes ? ['new', randomBytes(32).toString('hex')] : ['none', undefined]
}

const editorVariable = ({ publicPrefix }: Registration): string => `${publicPrefix}EDITOR_ORIGIN`

/** The variables of a site, without a missing secret. */
const variablesOf = (registration: Registration, secret: string | undefined) => ({
  ORCHESTRATOR_URL: registration.orchestrator,
  ...(secret !== undefined && { DRAFT_MODE_SECRET: secret }),
  [`${registration.publicPrefix}DEFAULT_SITE_ID`]: registration.siteId,
  [`${registration.publicPrefix}SITE_NAME`]: registration.name,
  [editorVariable(registration)]: registration.editorOrigin,
})

const write = (file: string, wanted: Readonly<Record<string, string>>) =>
  addToEnvFile(file, wanted).catch((error: unknown) => {
    const why = messageOf(error).replace(/\.$/, '')
    throw new CommandError(
      `The site is registered, but its variables are not written: ${why}. Then run this again.`,
    )
  })
