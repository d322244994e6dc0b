/** What the failures of a database mean. */
import { errorCode, type Refusal } from '../../../kernel/index.ts'
import { storeUnavailable } from '../refusals.ts'

const away =
  'The database of the store does not answer; repeat the request when it does. Earlier changes are kept.'
/** Classes of SQLSTATE for a problem of the database, not of a statement. */
const problems: Readonly<Record<string, string>> = {
  '08': away,
  '28': 'The database of the store refuses the user; check DATABASE_URL.',
  '53': 'The database of the store is out of space, memory or connections; make room, then repeat the request.',
  '57': away,
  '25': 'The database of the store takes no changes now; repeat the request when it does.',
  '55': 'The database of the store is locked for too long; repeat the request.',
}
const systemErrors = /^(?:E[A-Z]+|ERR_\w+)$/

/** Turns a problem of the database into a refusal; `undefined` for an error in a statement, and for a conflict. */
function toRefusal(error: unknown): Refusal | undefined {
  const code = errorCode(error)
  const isLost = error instanceof Error && /terminated|timeout|not queryable|was closed/i.test(error.message)
  const isAway = isLost || (code !== undefined && systemErrors.test(code))
  const sentence = isAway ? away : problems[String(code).slice(0, 2)]
  return sentence === undefined ? undefined : storeUnavailable(sentence, error)
}

/** Turns failures into refusals of which only the first of an outage has the cause: each request would log it again. */
export function watchOutages() {
  let isReported = false
  const once = (refusal: Refusal): Refusal => {
    const shown = isReported ? storeUnavailable(refusal.reason) : refusal
    isReported = true
    return shown
  }
  return {
    /** For a connection that cannot be opened. */
    refuse(error: unknown): never {
      throw once(toRefusal(error) ?? storeUnavailable(away, error))
    },
    /** For a statement; other errors stay as they are. */
    failed(error: unknown): unknown {
      const refusal = toRefusal(error)
      return refusal ? once(refusal) : error
    },
    answered: () => void (isReported = false),
  }
}
export type Outages = ReturnType<typeof watchOutages>

/** The parts of an address without its password. */
interface Parts {
  readonly user: string
  readonly host: string
  readonly port: string
  readonly name: string
  /** The file that is missing. */
  readonly file: string
}

const unreadable =
  'its address cannot be read. Write special characters of the password percent-encoded, such as %40 for @, %2F for / and %23 for #.'
const unknownHost = ({ host }: Parts) => `the host ${host} is not known. Correct its name in the address.`
const untrusted = ({ host }: Parts) =>
  `the certificate of ${host} is not trusted. Name the file of its authority by sslrootcert in the address.`
const refused = ({ user }: Parts) => `it refuses the user ${user}. Check the user and the rights to connect.`

/** What the failure of a start means, by SQLSTATE or system error; each follows the name of the database. */
const starts: Readonly<Record<string, (parts: Parts) => string>> = {
  '28P01': ({ user }) => `the password of the user ${user} is refused. Correct it in the address.`,
  '28000': refused,
  '3D000': ({ name }) => `its server has no database named ${name}. Create it, or correct the address.`,
  '42501': ({ user, name }) =>
    `the user ${user} lacks rights: let it create a schema, by GRANT CREATE ON DATABASE "${name}" TO "${user}".`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: ({ host, port }) =>
    `nothing answers at ${host}, port ${port}. Start the server, or correct host and port.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `its certificate is not for ${host}. Use a host name of the certificate in the address.`,
  ERR_INVALID_URL: () => unreadable,
  ENOENT: ({ file }) => `the file ${file} is missing. Correct sslrootcert, sslcert or sslkey in the address.`,
}

function problemParts(url: string, error: unknown): Parts | undefined {
  const { username = '', hostname = '', port = '', pathname = '', searchParams } = URL.parse(url) ?? {}
  // A password with / or # ends the host for a parser: what it takes for the host is a part of the password.
  if (username === '' && url.includes('@')) return undefined
  const path: unknown = Reflect.get(Object(error), 'path')
  return {
    user: searchParams?.get('user') ?? username,
    host: searchParams?.get('host') ?? hostname,
    port: port || '5432',
    name: pathname.slice(1),
    file: typeof path === 'string' ? path : 'of a certificate',
  }
}

/** Returns the reason why a database cannot be used, with the remedy; never its password. */
export function obstacle(error: unknown, url: string): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = errorCode(cause) ?? errorCode(error)
  const parts = problemParts(url, cause)
  const says = parts ? starts[code ?? '']?.(parts) : unreadable
  return says === undefined
    ? `The database of DATABASE_URL cannot be used (${code ?? String(cause)}). Check that it runs, and its address, user and rights.`
    : `The database of DATABASE_URL cannot be used (${code ?? 'unreadable'}): ${says}`
}

/** Whether a transaction failed only because another one was faster. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '')

/** Whether a document exists that was to be new. */
export const isTaken = (error: unknown): boolean => errorCode(error) === '23505'
