import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { safeEqual, systemClock } from '../../../kernel/index.ts'
import {
  addToEnvFile,
  planEnvFile,
  readEnvFile,
  variablesIn,
  type KeptVariable,
} from '../../../plugins/scaffold/port.ts'
import { draftLink } from '../../../plugins/site/index.ts'
import { messageOf } from '../../explain.ts'
import { toShown } from '../../secrets.ts'
import { CommandError, defineCommand, jsonFlag, report } from '../shared/command.ts'
import { toShownText } from '../shared/http.ts'
import { isSeenByGit, readRegistration, registrationFlags, type Registration } from './registration.ts'
import { toJsonReport, toReport, type SecretSource } from './report.ts'
import { send } from './requests.ts'

export const register = defineCommand({
  name: 'register',
  ignored: 'register',
  summary:
    'Registers the website in this folder with an orchestrator, completes its .env.local, and links to its draft.',
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

    const merged = writes && !isDry ? await write(file, wanted) : plan
    const { previewUrl, siteId, session } = registration
    const draft =
      isDry || secret === undefined
        ? undefined
        : draftLink(previewUrl, { siteId, session }, { secret, now: systemClock.now() }).href

    const warnings = [...sent.warnings]
    if (writes && isSeenByGit(file, io.environment())) warnings.push(exposed)
    const kept = merged.kept.map(toShownKept)
    warnings.push(...kept.map(differs))
    const { status } = sent
    const done = { status, file, isNewFile: text === '', added: merged.added, kept, writes, warnings, draft }
    const outcome = { registration, secret: source, ...done }
    report(given, io, toJsonReport(outcome), () => toReport(outcome))
  },
})

const toShownKept = ({ name, value, wanted }: KeptVariable): KeptVariable => ({
  name,
  value: toShownText(toShown(name, value)),
  wanted: toShownText(toShown(name, wanted)),
})

const differs = ({ name, value, wanted }: KeptVariable): string =>
  `${name} is still ${value} in .env.local, instead of ${wanted}; edit the file if that is wrong.`
const exposed = 'Git does not ignore .env.local, which holds a secret; add it to .gitignore.'

type Chosen = readonly [source: SecretSource, secret: string | undefined]

/** Chooses the draft secret: from the file, --secret, the environment, or a new one if the file is written. */
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

/** The variables of a site, without a missing secret. */
const variablesOf = (
  { orchestrator, siteId, name, editorOrigin }: Registration,
  secret: string | undefined,
) => ({
  ORCHESTRATOR_URL: orchestrator,
  ...(secret !== undefined && { DRAFT_MODE_SECRET: secret }),
  NEXT_PUBLIC_DEFAULT_SITE_ID: siteId,
  NEXT_PUBLIC_SITE_NAME: name,
  NEXT_PUBLIC_EDITOR_ORIGIN: editorOrigin,
})

const write = (file: string, wanted: Readonly<Record<string, string>>) =>
  addToEnvFile(file, wanted).catch((error: unknown) => {
    const why = messageOf(error).replace(/\.$/, '')
    throw new CommandError(
      `The site is registered, but its variables are not written: ${why}. Then run this again.`,
    )
  })
