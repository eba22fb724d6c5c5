#!/bin/sh
#SBATCH --job-name=gpusim-merge
#SBATCH --output=merge.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=45
#SBATCH --mem=512M
#SBATCH --partition=short,long
#SBATCH --account=proj_1

# Merges the shards that there are, complete or not; those merged before add nothing.
program=/opt/gpusim/bin/gpusim
folder='/home/me/my study.d'
export GPUSIM_PATH='/data/$parts'
cd -- /home/me || exit 2
exec "$program" sweep merge --db '/home/me/it'\''s.db' "$folder"/shard-*-of-*.db
