#!/bin/sh
#SBATCH --job-name=gpusim-sweep
#SBATCH --output=shard-%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=45
#SBATCH --mem=512M
#SBATCH --partition=short,long
#SBATCH --account=proj_1
#SBATCH --array=1-3,7,39-40
#SBATCH --cpus-per-task=1

# One share of the sweep. Every point is stored the moment it ends: a task that is requeued, or killed and
# started again, goes on with the points that its database does not have.
program=/opt/gpusim/bin/gpusim
folder='/home/me/my study.d'
export GPUSIM_PATH='/data/$parts'
cd -- /home/me || exit 2
shard=$SLURM_ARRAY_TASK_ID
tries=1
while
  "$program" sweep "$folder/study.yaml" --shard "$shard/40" --db "$folder/shard-$shard-of-40.db" \
    --jobs 1 --yes --quiet
  status=$?
  [ "$status" -eq 137 ] && [ "$tries" -lt 3 ]
do
  tries=$((tries + 1))
  echo "gpusim was killed; try $tries of 3" >&2
done
exit "$status"
