import { BootError } from '../../../kernel/index.ts'

/** The variables of the keys, and of the region where the address names none. */
interface AwsVariables {
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_SESSION_TOKEN?: string | undefined
  readonly AWS_REGION?: string | undefined
}

/** A bucket, or a part of it, and the keys to it. */
export interface Bucket {
  /** The address of the bucket, ending with `/`. */
  readonly bucket: string
  /** The beginning of every name in the bucket: empty, or ending with `/`. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

const usage =
  'write s3://bucket/prefix?endpoint=https://host&region=name, of which only the bucket is required'
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixName = /^(?!\/)[\w./-]{0,200}$/

/** Reads the address of a bucket. Throws a BootError with every problem; it repeats nothing of a wrong address. */
export function readBucket(address: string, variables: AwsVariables): Bucket {
  const problems: string[] = []
  const url = URL.parse(address)
  const { protocol, username = '', password = '', host: bucket = '', hash = '', searchParams } = url ?? {}
  const {
    endpoint,
    region = variables.AWS_REGION ?? 'us-east-1',
    ...others
  } = Object.fromEntries(searchParams ?? [])
  const prefix = (url?.pathname ?? '').replace(/^\//, '').replace(/\/$/, '')
  const server = endpoint === undefined ? undefined : URL.parse(endpoint)
  if (username + password !== '')
    problems.push('BLOBS_URL has keys; put them into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead')
  else if (protocol !== 's3:') problems.push(`BLOBS_URL must begin with s3://; ${usage}`)
  else if (!bucketName.test(bucket) || !prefixName.test(prefix) || hash !== '')
    problems.push(`BLOBS_URL is not the address of a bucket; ${usage}`)
  if (Object.keys(others).length > 0) problems.push(`BLOBS_URL has an unknown setting after '?'; ${usage}`)
  if (endpoint !== undefined && !isServer(server))
    problems.push('the endpoint in BLOBS_URL is not an address such as https://s3.example.com; correct it')
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = variables
  if (!accessKeyId || !secretAccessKey)
    problems.push('BLOBS_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; set both')
  // As a header it would fail each request, like a server that is away.
  if (/[^!-~]/.test(`${accessKeyId}${secretAccessKey}${sessionToken}`))
    problems.push(
      'one of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN has a space or a line end; remove it',
    )
  if (!accessKeyId || !secretAccessKey || problems.length > 0) throw new BootError(problems)
  return {
    // A certificate of Amazon covers no dot in the name of a bucket; other servers may have no name for each bucket.
    bucket: server
      ? `${server.origin}/${bucket}/`
      : bucket.includes('.')
        ? `https://s3.${region}.amazonaws.com/${bucket}/`
        : `https://${bucket}.s3.${region}.amazonaws.com/`,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  }
}

const isServer = (url: URL | null | undefined): boolean =>
  !!url && /^https?:$/.test(url.protocol) && url.username === '' && url.pathname === '/' && url.search === ''
