import { defineRefusal, errorCode } from '../../kernel/index.ts'

export const invalidFileName = defineRefusal({
  status: 400,
  code: 'invalid_file_name',
  reason: () =>
    'A stored name is 1 to 160 letters, digits, _ or -, and then .png, .jpg, .jpeg, .webp, .gif, .avif or .pdf; ' +
    'use such a name.',
})

const notWritable =
  'The folder of the files cannot be written; give the service the right to do so, then repeat the upload.'

const sentences = new Map([
  ['ENOSPC', 'The disk that holds the files is full; free some space, then repeat the upload.'],
  ['EDQUOT', 'The disk space given to the files is used up; grant more, then repeat the upload.'],
  ['EACCES', notWritable],
  ['EPERM', notWritable],
  ['EROFS', 'The folder of the files is on a read-only disk; make it writable, then repeat the upload.'],
  ['EMFILE', 'The service has too many files open; repeat the upload later, or raise its limit.'],
  ['S3_AWAY', 'The bucket of the files does not answer; repeat the request when it does.'],
  [
    'S3_DENIED',
    'The bucket of the files refuses the keys; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, their rights and BLOBS_URL.',
  ],
  ['S3_MISSING', 'The bucket of the files does not exist; create it, or correct BLOBS_URL.'],
  [
    'S3_REFUSED',
    'The bucket of the files refuses the request; check the endpoint and the region in BLOBS_URL.',
  ],
  ['REPLACED', 'The file was replaced before it was read; repeat the request.'],
  ['ENFILE', 'The machine has too many files open; repeat the upload later.'],
])

/** Refuses because files cannot be read or written. The cause is for the log, the sentence for the caller. */
export const blobsUnavailable = defineRefusal({
  status: 503,
  code: 'blobs_unavailable',
  reason: (cause: unknown) =>
    sentences.get(errorCode(cause) ?? '') ??
    'The folder of the files fails; check it and its disk, then repeat the request.',
  headers: () => ({ 'retry-after': '5' }),
  cause: (cause) => cause,
})
