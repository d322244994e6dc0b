import * as v from 'valibot'
import { createRedactor } from '../../../kernel/index.ts'
import { failuresOf, TranscriptionFailure, type Transcriber } from '../port.ts'
import { UpstreamFailure, type Outbound, type OutboundResponse } from '../../outbound/port.ts'
import { sameAddress } from '../../content/site-address.ts'
import { openAiSettings, ownAddress } from './settings.ts'

const Answer = v.object({ text: v.string() })
const Problem = v.object({ error: v.object({ message: v.string() }) })
/** The maximum size of an answer, enough for half a day of speech. */
const maxBytes = 2 * 1024 * 1024
const maxQuoteCharacters = 240

/** Creates the transcriber for the OpenAI protocol. Calls only its base address, which may be private. */
export function createTranscriber({
  apiKey,
  baseUrl,
  models,
  outbound,
}: {
  readonly apiKey: string
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly outbound: Pick<Outbound, 'fetch'>
}): Transcriber {
  const settings = {
    ...openAiSettings,
    models: 'OPENAI_TRANSCRIBE_MODEL and OPENAI_TRANSCRIBE_FALLBACK_MODELS',
  }
  const failures = failuresOf({
    ...settings,
    provider: sameAddress(baseUrl, ownAddress) ? 'OpenAI' : 'The provider',
    secret: apiKey,
  })
  const redact = createRedactor([apiKey])

  const toFailure = ({ status, json }: OutboundResponse): TranscriptionFailure => {
    const { success: isExplained, output } = v.safeParse(Problem, jsonOf(json))
    const explanation = isExplained
      ? redact(output.error.message.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' '))
      : undefined
    const quote = explanation === undefined ? '' : ` It said: ${explanation.slice(0, maxQuoteCharacters)}`
    const { reason } = failures.of({ status })
    return new TranscriptionFailure(`${reason}${quote}`, { isFinal: status === 401 || status === 403 })
  }

  return {
    models,
    async transcribe({ file, language, prompt }, model, signal) {
      const form = new FormData()
      form.append('file', file)
      form.append('model', model)
      form.append('response_format', 'json')
      if (language !== undefined) form.append('language', language)
      if (prompt !== undefined) form.append('prompt', prompt)
      const answer = await outbound
        .fetch(`${baseUrl}/audio/transcriptions`, {
          form,
          headers: { authorization: `Bearer ${apiKey === '' ? 'none' : apiKey}` },
          maxBytes,
          // The signal carries the time limit.
          timeoutMs: 600_000,
          followsRedirects: false,
          allowOrigins: [new URL(baseUrl).origin],
          signal,
        })
        .catch((error: unknown) => {
          throw error instanceof UpstreamFailure
            ? new TranscriptionFailure(failures.brokenOff().reason, { cause: error })
            : error
        })
      if (answer.status !== 200) throw toFailure(answer)
      const parsed = v.safeParse(Answer, jsonOf(answer.json))
      if (!parsed.success)
        throw new TranscriptionFailure(`The answer contains no transcript. Check ${settings.address}.`)
      return parsed.output.text.trim()
    },
  }
}

function jsonOf(json: () => unknown): unknown {
  try {
    return json()
  } catch {
    return undefined
  }
}
