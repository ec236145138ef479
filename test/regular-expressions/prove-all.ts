import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Expression } from './find.ts';

export type Proof =
  | { readonly proof: string; readonly problem?: undefined }
  | { readonly problem: string; readonly proof?: undefined };

type Question = Pick<Expression, 'source' | 'flags' | 'findsAll'>;

/** The analyzer recurses over long alternations. */
const STACK_KB = 3_900;

/** Proofs in the order of the expressions, made by a few processes. */
export async function proveAll(expressions: readonly Question[]): Promise<Proof[]> {
  const proofs: Proof[] = [];
  const waiting = [...expressions.entries()].reverse();
  const work = async (): Promise<void> => {
    const prover = fork(fileURLToPath(new URL('prove.mjs', import.meta.url)), {
      execArgv: [`--stack-size=${STACK_KB}`],
    });
    try {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [index, expression] = next;
        proofs[index] = await ask(prover, expression);
      }
    } finally {
      prover.kill();
    }
  };
  const processes = Math.min(availableParallelism(), expressions.length, 4);
  await Promise.all(Array.from({ length: processes }, work));
  return proofs;
}

async function ask(prover: ChildProcess, question: Question): Promise<Proof> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the prover ended with ${code}`));
    prover.once('exit', ended);
    prover.once('message', (proof) => {
      prover.off('exit', ended);
      resolve(proof as Proof);
    });
    prover.send(question);
  });
}
