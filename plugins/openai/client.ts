import { failuresOf, libraryOptions, ModelFailure, within, type Connection, type ModelClient } from '../llm/port.ts'
import { openAiSettings, ownAddress } from './settings.ts'
import { toPieces } from './to-pieces.ts'
import { toRequest } from './to-request.ts'

/** What these errors are, whatever status they come with. */
const statusOfCode: ReadonlyMap<string | null | undefined, number> = new Map([['insufficient_quota', 402], ['context_length_exceeded', 413]])

/**
 * Calls models by the protocol of OpenAI. Everything that the library would read from the environment is given to it instead.
 *
 * Rejects with a ModelFailure where the library, an optional package, is not installed.
 */
export async function createOpenAi(connection: Connection): Promise<ModelClient['stream']> {
  const { apiKey, baseUrl, timeoutMs } = connection
  const { default: OpenAI, APIError } = await importLibrary()
  const failures = failuresOf({ ...openAiSettings, provider: baseUrl === ownAddress ? 'OpenAI' : undefined, secret: apiKey })
  const openai = new OpenAI({
    ...libraryOptions('openai', connection),
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  })
  return within({
    timeoutMs,
    failures,
    async *call(call, signal) {
      const { data, request_id: requestId } = await openai.chat.completions.create(toRequest(call, { baseUrl }), { signal }).withResponse()
      yield* toPieces(data, failures, requestId)
    },
    toFailure(error) {
      if (!(error instanceof APIError)) return failures.brokenOff({ cause: error })
      const { code, requestID: requestId, headers, message: text } = error
      const type = error.type ?? code
      return failures.of({ status: statusOfCode.get(code) ?? error.status, type, requestId, headers, text, cause: error.cause })
    },
  })
}

/** Takes longer than this service takes to start. Bundlers let an import in a `try` fail when it is run. */
async function importLibrary() {
  try {
    return await import('openai')
  } catch (cause) {
    throw new ModelFailure('uninstalled', 'A model of OpenAI is set up, and the package openai is not installed. Run npm install openai, and restart the server.', { provider: 'OpenAI', cause })
  }
}
