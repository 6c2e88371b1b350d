/** Does all of it, two at a time. */
export async function runTwoAtATime(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await job();
  };
  await Promise.all([work(), work()]);
}
