import { once } from 'node:events'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import express from 'express'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { toNodeHandler } from '../../kernel/http/node.ts'
import { createReaders, readerLimits, type ReaderLimits } from '../../kernel/http/readers.ts'
import { createHttpServer } from '../../kernel/http/server.ts'
import { createKernel, text } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { ok, plain } from '../helpers/plain.ts'
import { dial, exchange, listen, toAnswers } from '../helpers/raw.ts'
import { until } from '../helpers/until.ts'

const mebibyte = 1024 * 1024
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** A service with custom limits; `/gated` answers after `release`. */
async function serve(t: Test, limits: Partial<ReaderLimits> = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let aborted = 0
  const routes = plain({
    'GET /small': () => ok,
    'GET /large': {
      query: v.object({ bytes: v.string() }),
      replies: { 200: text('text/plain') },
      answer: ({ query }: { query: { bytes: string } }) => ({
        status: 200,
        body: 'x'.repeat(Number(query.bytes)),
      }),
    },
    'GET /gated': ({ signal }) => {
      signal.addEventListener('abort', () => aborted++)
      return released.then(() => ok)
    },
  })
  const kernel = await createKernel({
    shape: 'library',
    env: {},
    log: capturedLog('silent').log,
    plugins: [routes],
  })
  t.teardown(() => kernel.close())
  const node = toNodeHandler(kernel.dispatch, '', createReaders({ ...readerLimits, ...limits }))
  return { node, port: await listen(t, createHttpServer(node)), release, aborted: () => aborted }
}

/** Bytes used by objects and buffers. */
const memory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external

t.test('pipelined requests whose answers are not read use little memory, and are cut off', async (t) => {
  const { node, port } = await serve(t)
  const foreign = await listen(t, createServer(express().use(node)))
  for (const [name, at] of Object.entries({ ours: port, express: foreign })) {
    const before = memory()
    let most = 0
    const attackers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = await dial(t, at)
        socket.pause().write(get('/large?bytes=100000').repeat(100_000))
        return socket
      }),
    )
    for (let turn = 0; turn < 20; turn++) {
      const { answers } = await exchange(
        t,
        at,
        get('/small').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
        10_000,
      )
      t.equal(answers[0]?.status, 200, `${name}: others are answered`)
      most = Math.max(most, memory() - before)
      await wait(10)
    }
    t.ok(most < 200 * mebibyte, `${name}: ${Math.round(most / mebibyte)} MiB`)
    const ended = attackers.map(
      async (socket) => socket.destroyed || (socket.resume(), once(socket, 'close')),
    )
    t.equal((await Promise.all(ended)).length, 5, `${name}: cut off`)
  }
})

t.test('requests of one connection are limited: one more is 429, far too many close it', async (t) => {
  const { port, release } = await serve(t, { requests: 3 })
  const ask = async (count: number): Promise<string> => {
    const socket = await dial(t, port)
    let received = ''
    socket
      .on('data', (chunk: Buffer) => void (received += chunk.toString('latin1')))
      .write(get('/gated').repeat(count))
    const closed = once(socket, 'close')
    await wait(100)
    release()
    await Promise.race([closed, wait(300)])
    const { body = '{}' } = toAnswers(received).at(-1) ?? {}
    if (count > 3 && received !== '')
      t.match(JSON.parse(body), {
        code: 'too_many_requests',
        reason: /More than 3 answers wait on this connection\./,
      })
    return `${toAnswers(received)
      .map(({ status }) => status)
      .join()}${socket.destroyed ? ' closed' : ''}`
  }
  const [three, four, seven] = await Promise.all([ask(3), ask(4), ask(7)])
  t.equal(three, '200,200,200')
  t.equal(four, '200,200,200,429 closed')
  t.equal(seven, ' closed')

  const socket = await dial(t, port)
  for (let at = 0; at < 20; at++) {
    socket.write(get('/small'))
    t.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /, 'answers that were read no longer count')
  }
})

t.test('over the limit of unread bytes the client stalled longest is disconnected', async (t) => {
  const { port } = await serve(t, { bytes: 40 * mebibyte })
  const ask = async (bytes: number, times = 1): Promise<Socket> => {
    const socket = await dial(t, port)
    socket.pause().write(get(`/large?bytes=${bytes}`).repeat(times))
    await wait(100)
    return socket
  }
  const take = async (socket: Socket): Promise<number> => {
    let size = 0
    socket.on('data', (chunk: Buffer) => void (size += chunk.byteLength)).resume()
    for (let before = -1; before !== size; await wait(100)) before = size
    return size
  }
  const first = await ask(30 * mebibyte)
  const second = await ask(30 * mebibyte)
  t.ok((await take(first)) < 30 * mebibyte, 'the first is cut off')
  t.ok((await take(second)) > 30 * mebibyte, 'the second receives its complete answer')
  t.ok((await take(await ask(50 * mebibyte))) > 50 * mebibyte, 'a single answer may exceed the limit')
  t.ok((await take(await ask(50 * mebibyte, 2))) < 50 * mebibyte, 'two answers on one connection may not')
})

t.test('a client that reads nothing for 30 seconds is disconnected, for any kind of answer', async (t) => {
  const { port } = await serve(t)
  const body = 'x'.repeat(100)
  const asking = {
    'one large answer': get(`/large?bytes=${30 * mebibyte}`),
    'small answers behind a large one': get(`/large?bytes=${30 * mebibyte}`) + get('/small').repeat(3),
    'an answer to a request with an unread body': `GET /large?bytes=${30 * mebibyte} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${body}`,
  }
  for (const [what, bytes] of Object.entries(asking)) {
    const stalled = await dial(t, port)
    mock.timers.enable({ apis: ['setTimeout'] })
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    const ended = once(stalled, 'close')
    stalled.pause().write(bytes)
    await turns()
    mock.timers.tick(2000)
    await turns()
    mock.timers.tick(30_000)
    mock.timers.reset()
    stalled.resume()
    await ended
    t.ok(stalled.bytesRead < 30 * mebibyte, `${what}: ${stalled.bytesRead} bytes received`)
  }
})

t.test('a client that reads slowly is not disconnected', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const readerOf = createReaders({ requests: 10, bytes: 100, stalled: 1000 })
  const [one, two] = [new Socket(), new Socket()]
  readerOf(one).hold(10)
  mock.timers.tick(999)
  readerOf(one).hold(10)
  readerOf(one).taken(5)
  mock.timers.tick(999)
  t.notOk(one.destroyed, 'a part was read')
  readerOf(one).taken(5)
  readerOf(two).hold(50)
  mock.timers.tick(999)
  readerOf(one).hold(1)
  t.notOk(one.destroyed)
  mock.timers.tick(1)
  t.ok(one.destroyed, 'another answer does not count as progress')
  readerOf(one).taken(10)
  readerOf(one).hold(1000)
  t.ok(two.destroyed, 'the one that has waited longest is cut off')
  const three = new Socket()
  readerOf(three).hold(60)
  readerOf(three).taken(60)
  mock.timers.tick(5000)
  t.notOk(three.destroyed, 'no timeout once everything was read')
  t.end()
})

t.test('a disconnect is noticed by every handler, and by the answers queued behind another', async (t) => {
  const { port, aborted, release } = await serve(t)
  const socket = await dial(t, port)
  socket.write(get('/gated').repeat(3) + get('/small') + get('/large?bytes=300000'))
  await wait(100)
  socket.resetAndDestroy()
  await until(() => aborted() >= 3, 'three aborted handlers')
  t.equal(aborted(), 3)
  release()
})
