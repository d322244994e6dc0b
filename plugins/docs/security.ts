import type { Security, SecurityScheme } from './document.ts'

const known = {
  accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token', description: 'The access token in a header of its own.' },
  accessTokenBearer: { type: 'http', scheme: 'bearer', description: 'The access token as a bearer.' },
  accessTokenQuery: {
    type: 'apiKey', in: 'query', name: 'accessToken',
    description: 'The access token in the address, for an EventSource, which cannot send headers.',
  },
  publishToken: { type: 'apiKey', in: 'header', name: 'x-publish-token', description: 'The publish secret, where PUBLISH_TOKEN is set.' },
} as const satisfies Readonly<Record<string, SecurityScheme>>

const access: Security = [{ accessToken: [] }, { accessTokenBearer: [] }, { accessTokenQuery: [] }]

/** The gate of a route by the name that people know it by. */
export const gateName = (id: string): string => id.replace(/^gate\./, '')

/** What each gate asks for where it asks for all it can; gates of other plugins are one scheme each, by their name. */
export function securityOf(gate: string): Security {
  switch (gate) {
    case 'public':
      return []
    case 'access':
    case 'agent':
      return access
    case 'publish':
      return access.map((way) => ({ ...way, publishToken: [] }))
    default:
      return [{ [schemeName(gate)]: [] }]
  }
}

/** The schemes of the interface, and those of every other gate that a route names. */
export function securitySchemes(gates: readonly string[]): Readonly<Record<string, SecurityScheme>> {
  const others = gates.filter((gate) => !['public', 'access', 'agent', 'publish'].includes(gate))
  return {
    ...known,
    ...Object.fromEntries(others.map((gate): [string, SecurityScheme] => [
      schemeName(gate),
      { type: 'http', scheme: schemeName(gate), description: `Decided by the gate '${gate}', which a plugin brings along.` },
    ])),
  }
}

/** Component names allow few characters, while the name of a gate may have any. */
const schemeName = (gate: string): string => `gate.${gate.replace(/[^\w.-]+/g, '-')}`
